"""Compressed files that are only added to: what is whole is read, what is torn is known, what is damaged refused."""

import gzip
import random

import pytest

from hardmode.sim.files import gzip_members

SAID = [b"one\n", b"", b"two " * 50_000, bytes(range(256)) * 9]
PARTS = [gzip_members.compress_member(one) for one in SAID]
FILE = b"".join(PARTS)
ENDS = [sum(map(len, PARTS[:n])) for n in range(len(PARTS) + 1)]


def test_parts_one_after_the_other_are_what_gzip_reads():
    assert gzip_members.decompress_members(FILE, 10**6) == (b"".join(SAID), len(FILE))
    assert gzip.decompress(FILE) == b"".join(SAID)


def test_whatever_is_cut_off_costs_the_part_in_which_it_is_cut():
    for at in range(len(FILE)):
        n = max(i for i, end in enumerate(ENDS) if end <= at)
        assert gzip_members.decompress_members(FILE[:at], 10**6) == (b"".join(SAID[:n]), ENDS[n]), at


def test_many_small_parts_are_read_in_a_line_with_their_number():
    said = [f"{random.random()}\n".encode() * 10 for _ in range(20_000)]
    file = b"".join(map(gzip_members.compress_member, said))
    assert gzip_members.decompress_members(file, 10**7) == (b"".join(said), len(file))


def test_a_damaged_file_is_refused():
    for at in range(len(FILE)):
        for bit in (0x01, 0x40):
            try:
                found, whole = gzip_members.decompress_members(
                    FILE[:at] + bytes([FILE[at] ^ bit]) + FILE[at + 1 :], 10**7
                )
                assert b"".join(SAID).startswith(found)
                assert whole == len(FILE) or any(0 <= at - start - 16 < 4 for start in ENDS), "a length too long"
            except gzip_members.GzipMemberError as why:
                assert "damaged" in str(why)


def test_what_another_program_compressed_is_refused():
    for file in (gzip.compress(b"by another"), FILE + b"something that stands behind"):
        with pytest.raises(gzip_members.GzipMemberError, match="another program compressed it"):
            gzip_members.decompress_members(file, 10**6)


def test_a_file_that_unfolds_without_end_is_refused():
    with pytest.raises(gzip_members.GzipMemberError, match="more than"):
        gzip_members.decompress_members(gzip_members.compress_member(bytes(10**8)), 10**7)
    with pytest.raises(gzip_members.GzipMemberError, match="more than"):
        gzip_members.decompress_members(gzip_members.compress_member(bytes(600)) * 2, 1000)


def test_the_beginning_is_known_from_the_first_bytes():
    assert gzip_members.is_gzip(FILE) and not gzip_members.is_gzip(b"{}")
    assert (
        gzip_members.decompress_head(gzip_members.compress_member(b'{"hardmode": "result"' * 1000)[:300], 20)
        == b'{"hardmode": "result'
    )
    assert gzip_members.decompress_head(b"\x1f\x8bnothing", 20) == b""
