"""The row of a game: how it ended, how near the party came, and what is measured on the way."""

from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Measure
from hardmode.sim.games.woodlands.box import BRAMBLES
from hardmode.sim.games.woodlands.chapters.ch2 import orbs_at_well
from hardmode.sim.games.woodlands.chapters.ch4 import camps_clear
from hardmode.sim.games.woodlands.forest import ones
from hardmode.sim.games.woodlands.hero import hearts_of_all
from hardmode.sim.games.woodlands.table import (
    BOSS_BEATEN,
    CAMPAIGN_DONE,
    CHAPTER_WON,
    HEROES,
    MONSTERS,
    SEATS,
)
from hardmode.sim.records import rule

BOSS_LABELS = ("snake matriarch", "spirit lord", "bone general", "bramble mother", "spore titan",
               "corrupted guardian", "not revealed")
CHAPTERS = ("standard", "chapter 1", "chapter 2", "chapter 3", "chapter 4", "chapter 5")
HOW = ("not revealed", "by entering", "by the empty stack", "by the chapter")

MEASURES = (
    Measure("boss", "which boss it was", BOSS_LABELS, factor=True),
    Measure("brambles", "the bramble card", BRAMBLES, factor=True),
    Measure("first monster", "the first monster turned face up", ("none", *MONSTERS), factor=True),
    Measure("reveal", "how the boss was revealed", HOW, factor=True),
    Measure("first downed", "which hero fell first", ("none", *HEROES), factor=True),
    Measure("hero", "the hero of a seat", HEROES, factor=True, per_seat=True),
    Measure("hearts", "hearts of all heroes", curve=True),
    Measure("orbs", "orbs of all heroes", curve=True),
    Measure("threat", "space of the cube on the threat track", curve=True),
    Measure("tiles left", "tiles in the stack", curve=True),
    Measure("downed", "heroes on the ground", curve=True),
    Measure("loot cards", "loot cards of all heroes", curve=True),
    Measure("reveal round", "round in which the boss was revealed, 0 never"),
    Measure("reveal hearts", "hearts of all heroes when the boss was revealed"),
    Measure("reveal orbs", "orbs of all heroes then"),
    Measure("reveal loot", "loot cards of all heroes then"),
    Measure("reveal stack", "tiles in the stack then"),
    Measure("boss fights", "combats against the boss"),
    Measure("boss dice", "dice rolled in them"),
    Measure("hearts before boss", "hearts of all heroes at the first boss fight"),
    Measure("orbs before boss", "orbs of all heroes at the first boss fight"),
    *(Measure(f"{m} beaten", f"combats won against a {m}") for m in MONSTERS),
    *(Measure(f"{m} lost to", f"combats lost against a {m}") for m in MONSTERS),
    Measure("loot drawn", "loot cards drawn"),
    Measure("orbs gained", "orbs gained"),
    Measure("orbs: rerolls", "orbs spent on combat dice"),
    Measure("orbs: market", "orbs spent at merchants"),
    Measure("orbs: vortex", "orbs spent on the vortex"),
    Measure("orbs: raising", "orbs spent on first aid"),
    Measure("orbs: powers", "orbs spent on unique powers"),
    Measure("hurt by monsters", "hearts lost to monsters"),
    Measure("hurt by boss", "hearts lost to the boss"),
    Measure("hurt by brambles", "hearts lost to brambles"),
    Measure("hurt by poison", "hearts lost to poison"),
    Measure("hurt by others", "hearts lost to events and lairs"),
    Measure("falls", "times a hero fell"),
    Measure("raised", "heroes raised with orbs"),
    Measure("powers", "unique powers unlocked"),
    Measure("turns", "hero turns played"),
    Measure("tiles placed", "tiles added to the forest"),
    Measure("risky steps", "risky moves"),
    Measure("flights", "monsters fled from"),
    Measure("events", "event cards drawn"),
    Measure("chests", "chests opened"),
    Measure("lairs entered", "lairs entered"),
    Measure("lairs done", "lairs explored to the end"),
    Measure("threat share", "threat at the end, in percent of its track"),
    Measure("chapter", "the chapter in which the game ended", CHAPTERS, factor=True),
    *(Measure(f"tries at chapter {c}", "times the chapter was begun in the campaign") for c in range(1, 6)),
    *(Measure(f"finished chapter {c}", "1 when it was won: its mean is the chance to get so far") for c in range(1, 6)),
    *(Measure(f"rounds in chapter {c}", "rounds of all tries together") for c in range(1, 6)),
    Measure("task", "how much of the chapter's task was done, in percent"),
    Measure("enraged types", "enraged types at the end"),
)


@rule
def outcome(box, table, row):
    row[ENDING] = table.ending
    row[ROUNDS] = table.round
    row[WINNERS] = 0
    if table.ending == BOSS_BEATEN or table.ending == CHAPTER_WON or table.ending == CAMPAIGN_DONE:
        row[WINNERS] = (1 << table.seats) - 1
    for s in range(SEATS):
        row[SCORES + s] = margin(box, table) if s < table.seats else 0
    n = factors(table, row, SCORES + SEATS)
    n = standing_now(table, row, n)
    n = at_the_boss(table, row, n)
    n = fights(table, row, n)
    n = totals(table, row, n)
    journey(box, table, row, n)


@rule
def margin(box, table):
    """How near the party is to winning: strength and orbs, and what the boss has left of its track."""
    n = 4 * hearts_of_all(table)
    for s in range(table.seats):
        n += 2 * table.orbs[s] + 8 * table.powers[s]
        for i in range(3):
            n += 4 * (table.loot[s, i] > 0)
    if table.boss_shown:
        n += 20 - 10 * table.threat // max(1, table.boss_track)
    if table.chapter:
        n += 3 * task_done(box, table) + 500 * (table.chapter - 1) * table.campaign
    return n


@rule
def task_done(box, table):
    """How much of the chapter's task is done, in percent."""
    if table.ending == CHAPTER_WON or table.ending == CAMPAIGN_DONE:
        return 100
    if table.chapter == 1:
        found = 0
        for i in range(8):
            found += table.quest_gone[i]
        return min(99, 5 * found + 25 * table.potions)
    if table.chapter == 2:
        return min(99, 100 * orbs_at_well(box, table) // max(1, box.c2_target[table.seats]))
    if table.chapter == 3:
        beaten = 0
        for k in range(5):
            beaten += table.beaten[k]
        return min(99, 70 * beaten // max(1, box.c3_goal[table.seats]) + 30 * (table.bosses_beaten > 0))
    if table.chapter == 4:
        return min(99, 25 * camps_clear(table))
    return 24 * ones(table.totems) if table.chapter == 5 else 0


@rule
def finished(table, c):
    """The chapter was won, in the campaign or by itself."""
    if c == table.chapter:
        return table.ending == CHAPTER_WON or table.ending == CAMPAIGN_DONE
    return table.campaign > 0 and c < table.chapter


@rule
def journey(box, table, row, n):
    n = put(row, n, table.chapter)
    for c in range(1, 6):
        n = put(row, n, table.tries_of[c])
    for c in range(1, 6):
        n = put(row, n, finished(table, c))
    for c in range(1, 6):
        n = put(row, n, table.rounds_of[c])
    n = put(row, n, task_done(box, table))
    wild = 0
    for k in range(5):
        wild += table.enraged[k]
    return put(row, n, wild)


@rule
def put(row, n, value):
    row[n] = value
    return n + 1


@rule
def put_all(row, n, values):
    for value in values:
        row[n] = value
        n += 1
    return n


@rule
def factors(table, row, n):
    n = put_all(row, n, (table.boss if table.boss_shown else 6, table.brambles, table.first_foe,
                         table.reveal_how, table.first_downed))
    for s in range(SEATS):
        n = put(row, n, table.hero[s] if s < table.seats else -1)
    return n


@rule
def standing_now(table, row, n):
    orbs, down, cards = 0, 0, 0
    for s in range(table.seats):
        orbs += table.orbs[s]
        down += table.hp[s] == 0
        for i in range(3):
            cards += table.loot[s, i] > 0
    return put_all(row, n, (hearts_of_all(table), orbs, table.threat, table.stack_n, down, cards))


@rule
def at_the_boss(table, row, n):
    return put_all(row, n, (table.shown_round, table.shown_hp, table.shown_orbs, table.shown_loot,
                            table.shown_stack, table.boss_fights, table.boss_dice, table.boss_hp_before,
                            table.boss_orbs_before))


@rule
def fights(table, row, n):
    for k in range(5):
        n = put(row, n, table.won_by[k])
    for k in range(5):
        n = put(row, n, table.lost_to[k])
    return put_all(row, n, (table.loot_drawn, table.orbs_gained, table.orbs_reroll, table.orbs_market,
                            table.orbs_vortex, table.orbs_raise, table.orbs_unlock))


@rule
def totals(table, row, n):
    falls, powers = 0, 0
    for s in range(table.seats):
        falls += table.falls[s]
        powers += table.powers[s]
    return put_all(row, n, (table.hurt_monster, table.hurt_boss, table.hurt_bramble, table.hurt_poison,
                            table.hurt_other, falls, table.raised, powers, table.turns, table.placed,
                            table.risky_steps, table.flights, table.events_drawn, table.chests_taken,
                            table.lairs_entered, table.lairs_done, 100 * table.threat // max(1, table.boss_track)))
