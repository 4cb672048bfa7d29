"""Decisions: which options there are at each kind, and what each of them does."""

from hardmode.sim.games.woodlands.actions import act_options, self_options, take_act, take_care
from hardmode.sim.games.woodlands.agenda import first_of, option, push, second_of, verb_of
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
from hardmode.sim.games.woodlands.combat import (
    ALONGSIDE,
    change_options,
    pool_options,
    take_change,
    take_pool,
    take_support,
)
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
from hardmode.sim.games.woodlands.table import (
    K_ACT,
    K_ASSIGN,
    K_CARRY,
    K_CHARM,
    K_DISCARD,
    K_EXHAUST,
    K_EXTRA,
    K_FROST,
    K_GIVE_UP,
    K_INN,
    K_JOIN,
    K_KEEP,
    K_LOOK,
    K_MARKET,
    K_PARRY,
    K_PLACE,
    K_POOL,
    K_PREPARE,
    K_REROLL,
    K_SHARE,
    K_STACK,
    K_SUPPORT,
    K_TRADE,
    K_WAKE,
    T_ACT,
    V_FIGHT,
    V_FLEE,
    V_FLEE_RISKY,
    V_FREEZE,
    V_NO,
    V_YES,
)
from hardmode.sim.games.woodlands.turn import take_extra
from hardmode.sim.records import rule


@rule
def yes_no(out):
    out[0] = option(V_NO, 0, 0)
    out[1] = option(V_YES, 0, 0)
    return 2


@rule
def options(box, table, hidden, out):
    """The legal options of the present decision."""
    kind = table.kind
    if kind == K_ACT:
        return act_options(box, table, out)
    if kind == K_REROLL:
        return change_options(box, table, out)
    if kind == K_POOL:
        return pool_options(box, table, out)
    if kind == K_ASSIGN:
        return assign_options(box, table, out)
    if kind == K_PLACE:
        return placements(box, table, table.tile, out)
    if kind == K_PREPARE:
        n = prepare_options(box, table, out)
        if box.pre_combat and table.entries == 0 and table.fought_here == 0 and table.in_lair == 0:
            n = self_options(box, table, out, n)
        return n
    if kind == K_KEEP:
        return keep_options(table, out)
    return rare_options(box, table, out, kind)


@rule
def rare_options(box, table, out, kind):
    if kind == K_SHARE:
        return share_options(table, out)
    if kind == K_DISCARD:
        return discard_options(table, out)
    if kind == K_PARRY:
        return parry_options(box, table, out)
    if kind == K_FROST:
        return frost_options(out)
    if kind == K_CHARM:
        return charm_options(table, out)
    if kind == K_MARKET:
        return market_options(box, table, out)
    if kind == K_LOOK:
        return lantern_options(out)
    if kind == K_STACK:
        return stack_options(table, out)
    if kind == K_EXHAUST:
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
    if kind == K_ACT:
        if verb == V_FREEZE:
            freeze(table, a)
            push(table, T_ACT, 0, 0, 0)
        else:
            take_act(box, table, hidden, luck, verb, a, b)
    elif kind == K_REROLL:
        take_change(box, table, luck, verb, a, b)
    elif kind == K_POOL:
        take_pool(box, table, verb, a)
    elif kind == K_ASSIGN:
        take_assign(table, a, b)
    elif kind == K_PLACE:
        take_place(box, table, hidden, luck, a, b)
    elif kind == K_PREPARE:
        if verb == V_FREEZE:
            freeze(table, a)
        elif verb == V_FIGHT or verb == V_FLEE or verb == V_FLEE_RISKY:
            take_prepare(box, table, verb, a)
        else:
            take_care(box, table, hidden, luck, verb, a, b)
    elif kind == K_KEEP:
        take_keep(box, table, a)
    else:
        take_rare(box, table, hidden, luck, kind, verb, a, b)
    run(box, table, hidden, luck)


@rule
def take_rare(box, table, hidden, luck, kind, verb, a, b):
    s = table.seat
    if kind == K_SHARE:
        take_share(table, a)
    elif kind == K_DISCARD:
        take_discard(box, table, a)
    elif kind == K_PARRY:
        take_parry(box, table, verb, a)
    elif kind == K_FROST:
        if verb == V_FREEZE:
            freeze(table, table.foe)
    elif kind == K_CHARM:
        take_charm(box, table, luck, verb, a)
    elif kind == K_SUPPORT:
        take_support(table, verb == V_YES)
    elif kind == K_CARRY:
        table.aboard[s] = verb == V_YES
    elif kind == K_EXTRA:
        take_extra(box, table, hidden, verb == V_YES)
    elif kind == K_JOIN:
        table.lair_party[s] = ALONGSIDE if verb == V_YES else 0
    elif kind == K_LOOK:
        take_lantern(table, hidden, verb)
    elif kind == K_STACK:
        take_stack(table, hidden, a)
    elif kind == K_EXHAUST:
        table.used[s, a] = 1
    elif kind == K_INN:
        if verb == V_YES:
            draw_inn(box, table, hidden, luck)
    elif kind == K_MARKET:
        take_market(box, table, verb, a, b)
    elif kind == K_GIVE_UP or kind == K_TRADE or kind == K_WAKE:
        take_campaign(table, kind, verb, a, b)
    else:
        take_chapter(box, table, hidden, verb, a)
