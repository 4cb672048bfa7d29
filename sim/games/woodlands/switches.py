"""The doubts of the rulebook, and how each can be read; what they are about stands in the box."""

from hardmode.sim.names import Named


class NoTileFits(Named):
    SKIP_AND_REVEAL = "skip_and_reveal"
    SKIP = "skip"


class KeptDice(Named):
    COMMITTED = "committed"
    FREE = "free"


class UnusedDice(Named):
    ALLOWED = "allowed"
    FORCED = "forced"


class Brew(Named):
    CHOOSE = "choose"
    ALL_FIRST_COMBAT = "all_first_combat"
    ALL_TURN = "all_turn"


class KlethorScope(Named):
    OWN = "own"
    ANY = "any"


class Stance(Named):
    UNTIL_NEXT_TURN = "until_next_turn"
    UNTIL_USED = "until_used"


class StanceScope(Named):
    KLETHOR = "klethor"
    ALL_PARTICIPANTS = "all_participants"


class RiskyOrb(Named):
    IMMEDIATE = "immediate"
    END_OF_TURN = "end_of_turn"


class SecondBramble(Named):
    ENTANGLED_ONLY = "entangled_only"
    ALL = "all"


class AgilityRoll(Named):
    ALLIES = "allies"
    NONE = "none"


class BrambleScope(Named):
    TILE = "tile"
    ENTERING = "entering"


class PreCombat(Named):
    COMBAT_ONLY = "combat_only"
    FREE_ACTIONS = "free_actions"


class Support(Named):
    FORCED = "forced"
    OPTIONAL = "optional"


class GroupContinue(Named):
    ALL = "all"
    STOP_ON_LOSS = "stop_on_loss"


class PenaltyOnDown(Named):
    SKIP = "skip"
    APPLY = "apply"


class S02Scope(Named):
    ALL = "all"
    TILE = "tile"


class S12Scope(Named):
    ACTIVE = "active"
    TILE = "tile"


class S15Scope(Named):
    TILE = "tile"
    PARTICIPANTS = "participants"


class GuardDefeated(Named):
    DISCARD = "discard"
    STAYS = "stays"


class Leaf(Named):
    ONE_HIT = "one_hit"
    ONE_HERO_ATTACK = "one_hero_attack"


class BossLeave(Named):
    NEVER = "never"
    TRANSPORT_ONLY = "transport_only"
    NEXT_TURN = "next_turn"


class VortexFlee(Named):
    AS_FLIGHT = "as_flight"
    FREE = "free"


class LateEvent(Named):
    RESOLVE = "resolve"
    NEEDS_MOVE = "needs_move"
    AFTER_FIGHT = "after_fight"


class MonsterEmpty(Named):
    RESHUFFLE = "reshuffle"
    NONE = "none"


class DeckEmpty(Named):
    RESHUFFLE = "reshuffle"
    NONE = "none"


class Ch3Check(Named):
    BEFORE = "before"
    AFTER = "after"


class Ch3Fallen(Named):
    STOP = "stop"
    MARCH_PAST = "march_past"


class Ch3SecondBoss(Named):
    NO = "no"
    ROUND5 = "round5"


class TrapMarker(Named):
    ENTANGLE = "entangle"
    POISON = "poison"


class DespairCost(Named):
    ORBS = "orbs"
    LOOT = "loot"


class Ch5Level2(Named):
    SPREAD_TWICE = "spread_twice"
    TWO_TILES_AT_START = "two_tiles_at_start"
    SECOND_ROW = "second_row"


class Ch5MinusMove(Named):
    EXTRA_DIE = "extra_die"
    ONE_LESS_DIE_PER_TURN = "one_less_die_per_turn"


class Ch5Count(Named):
    TILES = "tiles"
    ALL_MARKERS = "all_markers"


class Ch5Rows(Named):
    OWN = "own"
    CUMULATIVE = "cumulative"


class Ch5Settled(Named):
    REVEALS_BOSS = "reveals_boss"
    SPREADS = "spreads"
    MOVES_ONLY = "moves_only"


class Ch5Extra(Named):
    ON_ENTRY = "on_entry"
    ONCE_PER_TILE = "once_per_tile"


class CorruptionDiscards(Named):
    EVENT = "event"
    CHEST = "chest"


class CampfireRise(Named):
    ACTS = "acts"
    STANDS_ONLY = "stands_only"


class CampWithMonsters(Named):
    HEALS = "heals"
    BLOCKED = "blocked"


class Campfire(Named):
    END_OF_TURN = "end_of_turn"
    ON_ENTRY = "on_entry"


class FocusOnDown(Named):
    LOST = "lost"
    KEPT = "kept"


class SpiritReward(Named):
    FINAL = "final"
    EACH = "each"


class Ch2Downed(Named):
    COUNTED = "counted"
    NOT = "not"


class Ch2AfterWell(Named):
    ANY = "any"
    CARRIER = "carrier"


class Ch2Half(Named):
    NINE_ON_TOP = "nine_on_top"
    EIGHT_ON_TOP = "eight_on_top"


class Ch1Ambush(Named):
    NEXT = "next"
    AT_ONCE = "at_once"


class EventMerchant(Named):
    DISCARD = "discard"
    STAYS = "stays"


class HealWithMonsters(Named):
    AFTER_FIGHT = "after_fight"
    NO = "no"


class PathTie(Named):
    NESW = "NESW"
    RANDOM = "random"


class HornDistance(Named):
    PATH = "path"
    MANHATTAN = "manhattan"


class PassengerEffects(Named):
    SHARED_ONLY = "shared_only"
    FULL = "full"


class EnrageTie(Named):
    RANDOM = "random"
    PLAYERS = "players"


class BossPenalty(Named):
    CARD = "card"
    NONE = "none"


class MaxShield(Named):
    NONE = "none"
    SIX = "6"


class DeadEndSides(Named):
    SEPARATE = "separate"
    ONE_PLACE = "one_place"


class FarSideRule2(Named):
    COUNT = "count"
    IGNORE = "ignore"


class ImmobilisedVortex(Named):
    ALLOWED = "allowed"
    BLOCKED = "blocked"


class DrawnUndefeated(Named):
    STAYS = "stays"
    DISCARD = "discard"


class RetryState(Named):
    RESTORED = "restored"
    KEEP_POWERS = "keep_powers"


# Two guesses at each of the powers that nobody published.

class ShaviPower1(Named):
    ORB_FOR_A_HEART = "orb for a heart"
    AURA_HEALS_TWO = "aura heals two"


class ShaviPower2(Named):
    BETTER_POWER_DICE = "better power dice"
    POWER_DIE_REROLL = "power die reroll"


class BethrasPower1(Named):
    IMMUNE_TO_MARKERS = "immune to markers"
    REMEDY_HEALS = "remedy heals"


class BethrasPower2(Named):
    ONE_MORE_DIE = "one more die"
    BREW_FROM_FIVE = "brew from five"


# The readings of each doubt; the words of a plain yes or no stand so that its number is its truth.
SWITCHES = {
    "no_tile_fits": NoTileFits.labels(),
    "kept_dice": KeptDice.labels(),
    "unused_dice": UnusedDice.labels(),
    "brew": Brew.labels(),
    "klethor_scope": KlethorScope.labels(),
    "stance": Stance.labels(),
    "stance_scope": StanceScope.labels(),
    "risky_orb": RiskyOrb.labels(),
    "second_bramble": SecondBramble.labels(),
    "agility_roll": AgilityRoll.labels(),
    "bramble_scope": BrambleScope.labels(),
    "pre_combat": PreCombat.labels(),
    "support": Support.labels(),
    "group_continue": GroupContinue.labels(),
    "flee_mid": ("no", "yes"),
    "penalty_on_down": PenaltyOnDown.labels(),
    "s02_scope": S02Scope.labels(),
    "s12_scope": S12Scope.labels(),
    "s15_scope": S15Scope.labels(),
    "guard_defeated": GuardDefeated.labels(),
    "leaf": Leaf.labels(),
    "downed_tick": ("no", "yes"),
    "reveal_turn_tick": ("no", "yes"),
    "boss_leave": BossLeave.labels(),
    "vortex_flee": VortexFlee.labels(),
    "lair_beside_monsters": ("no", "yes"),
    "late_event": LateEvent.labels(),
    "monster_empty": MonsterEmpty.labels(),
    "deck_empty": DeckEmpty.labels(),
    "marker_limit": ("off", "on"),
    "ch3_check": Ch3Check.labels(),
    "ch3_threat_loss": ("no", "yes"),
    "ch3_second_boss": Ch3SecondBoss.labels(),
    "ch3_fallen": Ch3Fallen.labels(),
    "hidden_move": ("no", "yes"),
    "trap_marker": TrapMarker.labels(),
    "despair_cost": DespairCost.labels(),
    "ch5_level2": Ch5Level2.labels(),
    "ch5_minus_move": Ch5MinusMove.labels(),
    "ch5_count": Ch5Count.labels(),
    "ch5_rows": Ch5Rows.labels(),
    "ch5_extra": Ch5Extra.labels(),
    "ch5_settled": Ch5Settled.labels(),
    "corruption_discards": CorruptionDiscards.labels(),
    "campfire_rise": CampfireRise.labels(),
    "camp_with_monsters": CampWithMonsters.labels(),
    "campfire": Campfire.labels(),
    "focus_on_down": FocusOnDown.labels(),
    "spirit_reward": SpiritReward.labels(),
    "mush_supporters": ("no", "yes"),
    "quest_transfer": ("no", "yes"),
    "ch2_downed": Ch2Downed.labels(),
    "ch2_after_well": Ch2AfterWell.labels(),
    "ch2_half": Ch2Half.labels(),
    "ch1_ambush": Ch1Ambush.labels(),
    "event_merchant": EventMerchant.labels(),
    "xylia_reveal": ("no", "yes"),
    "xylia_downed_extra": ("no", "yes"),
    "xylia_boss_support": ("no", "yes"),
    "give_beside_boss": ("no", "yes"),
    "heal_with_monsters": HealWithMonsters.labels(),
    "path_tie": PathTie.labels(),
    "horn_distance": HornDistance.labels(),
    "passenger_effects": PassengerEffects.labels(),
    "enrage_tie": EnrageTie.labels(),
    "boss_penalty": BossPenalty.labels(),
    "max_shield": MaxShield.labels(),
    "dead_end_sides": DeadEndSides.labels(),
    "far_side_rule2": FarSideRule2.labels(),
    "immobilised_vortex": ImmobilisedVortex.labels(),
    "drawn_undefeated": DrawnUndefeated.labels(),
    "retry_state": RetryState.labels(),
}
