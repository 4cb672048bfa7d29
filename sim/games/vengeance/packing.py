"""Options packed into one integer, sets into masks, dice into hands."""

from __future__ import annotations

from hardmode.sim.records import rule


@rule
def pack(verb, a, b):
    return (verb << 32) | (a << 24) | b


@rule
def verb_of(option):
    return option >> 32


@rule
def first_of(option):
    return (option >> 24) & 255


@rule
def second_of(option):
    return option & 0xFFFFFF


@rule
def size_of(mask):
    """How many bits a mask has, in the way that compilers know as one instruction of the processor."""
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 127


@rule
def lowest(mask):
    """The number of the lowest bit of a mask that is not empty."""
    return size_of((mask & -mask) - 1)


@rule
def faces_in(hand):
    """How many dice a packed hand holds."""
    return (hand & 15) + (hand >> 4 & 15) + (hand >> 8 & 15) + (hand >> 12 & 15) + (hand >> 16 & 15)


@rule
def holds(hand, group):
    """Whether a packed hand contains a packed group."""
    return ((hand | 0x88888) - group) & 0x88888 == 0x88888
