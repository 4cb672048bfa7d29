"""The switches of the rules that have names, by the words that the box writes; the others are true or false."""

from hardmode.sim.names import Named


class AttackTiming(Named):
    ON_ENTER = "on_enter"
    PHASE_END = "phase_end"
    BOTH_TIMES = "both_times"


class StopScope(Named):
    PHASE = "phase"
    STEP = "step"


class PinnedMummy(Named):
    LEAVE = "leave"
    HOLD = "hold"


class DieHeartWithoutPile(Named):
    IGNORE = "ignore"
    ADVANCE = "advance"


class DarkAfterBoss(Named):
    NOTHING = "nothing"
    ADVANCE = "advance"


class SymbolOrder(Named):
    MOVE_FIRST = "move_first"
    HEART_FIRST = "heart_first"
    BATCH = "batch"


class SpawnRule(Named):
    PLAYER = "player"
    RANDOM = "random"
    FARTHEST = "farthest"
    NEAREST_HALF = "nearest_half"


class DamageMode(Named):
    SPLIT = "split"
    EACH = "each"


class ShieldScope(Named):
    ALL = "all"
    OWN_SHARE = "own_share"


class LastCardPlace(Named):
    LEGAL = "legal"
    ILLEGAL = "illegal"


class EdgeMatching(Named):
    STRICT = "strict"
    LENIENT = "lenient"


class DoubleScope(Named):
    ALL_DAMAGE = "all_damage"
    HITS_ONLY = "hits_only"


class DoubleStack(Named):
    ONE = "one"
    MULTIPLY = "multiply"


class Communication(Named):
    NONE = "none"
    INTENTS = "intents"
    OPEN_HANDS = "open_hands"


class DamageDiscard(Named):
    RANDOM = "random"
    OWNER_CHOOSES = "owner_chooses"


class Boss10Scope(Named):
    ALL = "all"
    SAME_ROOM = "same_room"


class FootprintMax(Named):
    NONE = "none"
    ONE = "one"


class Answer(Named):
    """What is said of something that is so, or is not."""

    NO = "no"
    YES = "yes"


class EmptyDeck(Named):
    """What a Cooperate is good for once the deck has run out."""

    NOTHING = "no"
    ALL = "yes"
    EXCHANGE = "exchange_only"


class Language(Named):
    """Which rulebook sets the switches where the two differ."""

    DEFAULT = "default"
    FRENCH = "fr"
    ENGLISH = "en"


NAMED: dict[str, type[Named]] = {
    "attack_timing": AttackTiming, "stop_scope": StopScope, "pinned_mummy": PinnedMummy,
    "die_heart_without_pile": DieHeartWithoutPile, "dark_after_boss": DarkAfterBoss, "symbol_order": SymbolOrder,
    "spawn_rule": SpawnRule, "damage_mode": DamageMode, "shield_scope": ShieldScope, "last_card_place": LastCardPlace,
    "edge_matching": EdgeMatching, "double_scope": DoubleScope, "double_stack": DoubleStack,
    "communication": Communication,
}

PLAIN = (
    "bonus_step_needs_symbol", "vault_guard", "vault_grace_turn", "cats_pinned", "draw_vault",
    "triangle_needs_connection", "token_in_mummy_phase", "shield_own_turn_only", "forbid_closing_last_exit",
    "move_only_action", "boss_clears_maze", "empty_hand_after_place_ok", "boss_unstoppable", "fight_faces_optional",
    "coop_draw_first",
)

# Switches that a language sets, and what it sets them to: by default, in French, in English.
BY_LANGUAGE: dict[str, tuple[Named, Named, Named]] = {
    "damage_discard": (DamageDiscard.RANDOM, DamageDiscard.RANDOM, DamageDiscard.RANDOM),
    "passage_between_placed": (Answer.YES, Answer.YES, Answer.NO),
    "coop_reveal": (Answer.YES, Answer.NO, Answer.YES),
    "multi_mechanism": (Answer.YES, Answer.YES, Answer.NO),
    "mechanism_optional": (Answer.NO, Answer.YES, Answer.NO),
    "draw_for_remote_passage": (Answer.NO, Answer.NO, Answer.YES),
    "boss10_scope": (Boss10Scope.ALL, Boss10Scope.SAME_ROOM, Boss10Scope.ALL),
    "cooperate_when_deck_empty": (EmptyDeck.ALL, EmptyDeck.ALL, EmptyDeck.EXCHANGE),
    "footprint_max": (FootprintMax.NONE, FootprintMax.NONE, FootprintMax.ONE),
}

SWITCHES = (*NAMED, *PLAIN, *BY_LANGUAGE)
