"""Decisions: which options there are at each kind, and what each of them does."""

from hardmode.sim.games.woodlands.actions import act_options, self_options, take_act, take_care
from hardmode.sim.games.woodlands.agenda import Task, first_of, option, push, second_of, verb_of
from hardmode.sim.games.woodlands.campaign import campaign_options, run, take_campaign
from hardmode.sim.games.woodlands.card_choices import (
    discard_options,
    draw_inn,
    exhaust_options,
    lantern_options,
    market_options,
    stack_options,
    take_discard,
    take_lantern,
    take_market,
    take_stack,
)
from hardmode.sim.games.woodlands.chapters.hooks import chapter_options, take_chapter
from hardmode.sim.games.woodlands.combat import change_options, pool_options, take_change, take_pool, take_support
from hardmode.sim.games.woodlands.combat_result import (
    freeze,
    frost_options,
    parry_options,
    share_options,
    take_parry,
    take_share,
)
from hardmode.sim.games.woodlands.fight_or_flee import prepare_options, take_prepare
from hardmode.sim.games.woodlands.forest import placements
from hardmode.sim.games.woodlands.hero_dice import (
    assign_options,
    charm_options,
    keep_options,
    take_assign,
    take_charm,
    take_keep,
)
from hardmode.sim.games.woodlands.movement import take_place
from hardmode.sim.games.woodlands.names import Kind, Part, Verb
from hardmode.sim.games.woodlands.switches import PreCombat
from hardmode.sim.games.woodlands.turn import take_extra
from hardmode.sim.records import rule


@rule
def yes_no(out):
    out[0] = option(Verb.NO, 0, 0)
    out[1] = option(Verb.YES, 0, 0)
    return 2


@rule
def options(box, table, hidden, out):
    """The legal options of the present decision."""
    kind = table.kind
    if kind == Kind.ACT:
        return act_options(box, table, out)
    if kind == Kind.CHANGE_ROLL:
        return change_options(box, table, out)
    if kind == Kind.PREPARE_COMBAT:
        return pool_options(box, table, out)
    if kind == Kind.ASSIGN:
        return assign_options(box, table, out)
    if kind == Kind.PLACE:
        return placements(box, table, table.tile, out)
    if kind == Kind.FIGHT_OR_FLEE:
        n = prepare_options(box, table, out)
        before = table.entries == 0 and table.fought_here == 0 and table.in_lair == 0
        if before and box.pre_combat == PreCombat.FREE_ACTIONS:
            n = self_options(box, table, out, n)
        return n
    if kind == Kind.KEEP:
        return keep_options(table, out)
    return rare_options(box, table, out, kind)


@rule
def rare_options(box, table, out, kind):
    if kind == Kind.SHARE:
        return share_options(table, out)
    if kind == Kind.DISCARD:
        return discard_options(table, out)
    if kind == Kind.PARRY:
        return parry_options(box, table, out)
    if kind == Kind.FROST:
        return frost_options(out)
    if kind == Kind.CHARM:
        return charm_options(table, out)
    if kind == Kind.MARKET:
        return market_options(box, table, out)
    if kind == Kind.LANTERN:
        return lantern_options(out)
    if kind == Kind.ORDER_TILES:
        return stack_options(table, out)
    if kind == Kind.EXHAUST:
        return exhaust_options(box, table, out)
    n = chapter_options(box, table, out)
    if n == 0:
        n = campaign_options(box, table, out)
    return n if n else yes_no(out)


@rule
def take(box, table, hidden, luck, code):
    """Apply an option, and go on to the next decision."""
    verb, a, b = verb_of(code), first_of(code), second_of(code)
    table.asking = 0
    kind = table.kind
    if kind == Kind.ACT:
        if verb == Verb.FREEZE:
            freeze(table, a)
            push(table, Task.ACT, 0, 0, 0)
        else:
            take_act(box, table, hidden, luck, verb, a, b)
    elif kind == Kind.CHANGE_ROLL:
        take_change(box, table, luck, verb, a, b)
    elif kind == Kind.PREPARE_COMBAT:
        take_pool(box, table, verb, a)
    elif kind == Kind.ASSIGN:
        take_assign(table, a, b)
    elif kind == Kind.PLACE:
        take_place(box, table, hidden, luck, a, b)
    elif kind == Kind.FIGHT_OR_FLEE:
        if verb == Verb.FREEZE:
            freeze(table, a)
        elif verb == Verb.FIGHT or verb == Verb.FLEE or verb == Verb.RISKY_FLIGHT:
            take_prepare(box, table, verb, a)
        else:
            take_care(box, table, hidden, luck, verb, a, b)
    elif kind == Kind.KEEP:
        take_keep(box, table, a)
    else:
        take_rare(box, table, hidden, luck, kind, verb, a, b)
    run(box, table, hidden, luck)


@rule
def take_rare(box, table, hidden, luck, kind, verb, a, b):
    s = table.seat
    if kind == Kind.SHARE:
        take_share(table, a)
    elif kind == Kind.DISCARD:
        take_discard(box, table, a)
    elif kind == Kind.PARRY:
        take_parry(box, table, verb, a)
    elif kind == Kind.FROST:
        if verb == Verb.FREEZE:
            freeze(table, table.foe)
    elif kind == Kind.CHARM:
        take_charm(box, table, luck, verb, a)
    elif kind == Kind.SUPPORT:
        take_support(table, verb == Verb.YES)
    elif kind == Kind.TRAVEL_ALONG:
        table.aboard[s] = verb == Verb.YES
    elif kind == Kind.ONE_MORE_TILE:
        take_extra(box, table, hidden, verb == Verb.YES)
    elif kind == Kind.JOIN:
        table.lair_party[s] = Part.ALONGSIDE if verb == Verb.YES else Part.ABSENT
    elif kind == Kind.LANTERN:
        take_lantern(table, hidden, verb)
    elif kind == Kind.ORDER_TILES:
        take_stack(table, hidden, a)
    elif kind == Kind.EXHAUST:
        table.used[s, a] = 1
    elif kind == Kind.INN:
        if verb == Verb.YES:
            draw_inn(box, table, hidden, luck)
    elif kind == Kind.MARKET:
        take_market(box, table, verb, a, b)
    elif kind == Kind.GIVE_UP or kind == Kind.TRADE or kind == Kind.WAKE:
        take_campaign(table, kind, verb, a, b)
    else:
        take_chapter(box, table, hidden, verb, a)
