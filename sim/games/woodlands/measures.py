"""The row of a game: how it ended, how near the party came, and what is measured on the way."""

from hardmode.sim.contract import Measure
from hardmode.sim.games.woodlands.chapters.ch2 import orbs_at_well
from hardmode.sim.games.woodlands.chapters.ch4 import camps_clear
from hardmode.sim.games.woodlands.forest import ones
from hardmode.sim.games.woodlands.heroes import hearts_of_all
from hardmode.sim.games.woodlands.loot import cards_of
from hardmode.sim.games.woodlands.names import (
    KINDS_OF_MONSTER,
    SEATS,
    Bramble,
    Ending,
    Hero,
    Mode,
    Monster,
    Reveal,
)
from hardmode.sim.records import rule

NOT_REVEALED = 6  # among the names of bosses, behind those of the shipped box
BOSS_NAMES = ("snake matriarch", "spirit lord", "bone general", "bramble mother", "spore titan", "corrupted guardian",
              "not revealed")
CHAPTERS_PLAYED = 5

MEASURES = (
    Measure("boss", "which boss it was", BOSS_NAMES, names="boss", factor=True),
    Measure("brambles", "the bramble card", Bramble.labels(), factor=True),
    Measure("first monster", "the first monster turned face up", ("none", *Monster.labels()),
            names="monster", factor=True),
    Measure("reveal", "how the boss was revealed", Reveal.labels(), factor=True),
    Measure("first downed", "which hero fell first", ("none", *Hero.labels()), factor=True),
    Measure("hero", "the hero of a seat", Hero.labels(), factor=True, per_seat=True),
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
    *(Measure(f"{m} beaten", f"combats won against a {m}", field="beaten") for m in Monster.labels()),
    *(Measure(f"{m} lost to", f"combats lost against a {m}", field="lost_to") for m in Monster.labels()),
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
    Measure("chapter", "the chapter in which the game ended", Mode.labels()[:-1], factor=True),
    *(Measure(f"tries at chapter {c}", "times the chapter was begun in the campaign", field="tries")
      for c in range(1, 6)),
    *(Measure(f"finished chapter {c}", "1 when it was won: its mean is the chance to get so far", field="finished")
      for c in range(1, 6)),
    *(Measure(f"rounds in chapter {c}", "rounds of all tries together", field="chapter_rounds")
      for c in range(1, 6)),
    Measure("task", "how much of the chapter's task was done, in percent"),
    Measure("enraged types", "enraged types at the end"),
)


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = table.round
    row.winners = 0
    if table.ending == Ending.BOSS_BEATEN or table.ending == Ending.CHAPTER_WON or table.ending == Ending.CAMPAIGN_DONE:
        row.winners = (1 << table.seats) - 1
    for s in range(SEATS):
        row.scores[s] = margin(box, table) if s < table.seats else 0
    factors(table, row)
    standing_now(table, row)
    at_the_boss(table, row)
    fights(table, row)
    hearts_lost(table, row)
    heroes_deeds(table, row)
    journey(box, table, row)


@rule
def margin(box, table):
    """How near the party is to winning: strength and orbs, and what the boss has left of its track."""
    n = 4 * hearts_of_all(table)
    for s in range(table.seats):
        n += 2 * table.orbs[s] + 8 * table.powers[s] + 4 * cards_of(table, s)
    if table.boss_shown:
        n += 20 - 10 * table.threat // max(1, table.boss_track)
    if table.chapter:
        n += 3 * task_done(box, table) + 500 * (table.chapter - 1) * table.campaign
    return n


@rule
def task_done(box, table):
    """How much of the chapter's task is done, in percent."""
    if table.ending == Ending.CHAPTER_WON or table.ending == Ending.CAMPAIGN_DONE:
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
        return table.ending == Ending.CHAPTER_WON or table.ending == Ending.CAMPAIGN_DONE
    return table.campaign > 0 and c < table.chapter


@rule
def journey(box, table, row):
    """How far the party came in its chapter and in the campaign."""
    row.chapter = table.chapter
    for c in range(CHAPTERS_PLAYED):
        row.tries[c] = table.tries_of[c + 1]
        row.finished[c] = finished(table, c + 1)
        row.chapter_rounds[c] = table.rounds_of[c + 1]
    row.task = task_done(box, table)
    row.enraged_types = 0
    for k in range(KINDS_OF_MONSTER):
        row.enraged_types += table.enraged[k]


@rule
def factors(table, row):
    row.boss = table.boss + (table.boss >= NOT_REVEALED) if table.boss_shown else NOT_REVEALED
    row.brambles = table.brambles
    row.first_monster = table.first_foe
    row.reveal = table.reveal_how
    row.first_downed = table.first_downed
    for s in range(SEATS):
        row.hero[s] = table.hero[s] if s < table.seats else -1


@rule
def standing_now(table, row):
    """What is followed from round to round."""
    row.hearts = hearts_of_all(table)
    row.threat = table.threat
    row.tiles_left = table.stack_n
    row.orbs, row.downed, row.loot_cards = 0, 0, 0
    for s in range(table.seats):
        row.orbs += table.orbs[s]
        row.downed += table.hp[s] == 0
        row.loot_cards += cards_of(table, s)


@rule
def at_the_boss(table, row):
    row.reveal_round = table.shown_round
    row.reveal_hearts = table.shown_hp
    row.reveal_orbs = table.shown_orbs
    row.reveal_loot = table.shown_loot
    row.reveal_stack = table.shown_stack
    row.boss_fights = table.boss_fights
    row.boss_dice = table.boss_dice
    row.hearts_before_boss = table.boss_hp_before
    row.orbs_before_boss = table.boss_orbs_before
    row.threat_share = 100 * table.threat // max(1, table.boss_track)


@rule
def fights(table, row):
    """Combats by monster, and what was gained and spent."""
    for k in range(KINDS_OF_MONSTER):
        row.beaten[k] = table.won_by[k]
        row.lost_to[k] = table.lost_to[k]
    row.flights = table.flights
    row.loot_drawn = table.loot_drawn
    row.orbs_gained = table.orbs_gained
    row.orbs_rerolls = table.orbs_reroll
    row.orbs_market = table.orbs_market
    row.orbs_vortex = table.orbs_vortex
    row.orbs_raising = table.orbs_raise
    row.orbs_powers = table.orbs_unlock


@rule
def hearts_lost(table, row):
    row.hurt_by_monsters = table.hurt_monster
    row.hurt_by_boss = table.hurt_boss
    row.hurt_by_brambles = table.hurt_bramble
    row.hurt_by_poison = table.hurt_poison
    row.hurt_by_others = table.hurt_other


@rule
def heroes_deeds(table, row):
    row.falls, row.powers = 0, 0
    for s in range(table.seats):
        row.falls += table.falls[s]
        row.powers += table.powers[s]
    row.raised = table.raised
    row.turns = table.turns
    row.tiles_placed = table.placed
    row.risky_steps = table.risky_steps
    row.events = table.events_drawn
    row.chests = table.chests_taken
    row.lairs_entered = table.lairs_entered
    row.lairs_done = table.lairs_done
