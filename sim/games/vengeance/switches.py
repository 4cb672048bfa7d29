"""The doubts of the rulebook: one switch each, the usual reading first."""

from __future__ import annotations

from hardmode.sim.names import Named


class FinalResolution(Named):
    YES = "yes"
    NO = "no"
    LOOT_ONLY = "loot_only"


class FullTrack(Named):
    END_VALUE = "end_value"
    LAST_PRINTED = "last_printed"
    ZERO = "zero"


class FocusFromLoot(Named):
    SURVIVES_SAME_PHASE = "survives_same_phase"
    SURVIVES_ANY = "survives_any"
    LOST = "lost"


class ZemunTarget(Named):
    GRUNT = "grunt"
    ANY_MINION = "any_minion"


class ShadowMode(Named):
    INSTEAD = "instead"
    ALSO = "also"


class ClearLatch(Named):
    SAME_ROUND = "same_round"
    ANY_LATER_ROUND = "any_later_round"


class ObjectiveCheck(Named):
    ALWAYS = "always"
    COMBAT_ONLY = "combat_only"
    END_OF_PHASE = "end_of_phase"


class WoundFull(Named):
    ENDS_TILE = "ends_tile"
    IGNORED = "ignored"


class HealNone(Named):
    ENDS_TILE = "ends_tile"
    SKIP = "skip"


class FocusedStrike(Named):
    ONE_HIT = "1"
    TWO_HITS = "2"


class EliminatedScore(Named):
    NONE = "none"
    CURRENT = "current"


class UnlockThrow(Named):
    JOINS = "joins"
    IMMEDIATE = "immediate"


class CollectMode(Named):
    TRACK = "track"
    ROOMS = "rooms"


class DrawDeadline(Named):
    START = "start"
    END = "end"


class GunWounds(Named):
    FIRST = "first"
    LAST = "last"


class FocusResolutionSkill(Named):
    LOST = "lost"
    KEPT_TO_STEP_4 = "kept_to_step4"


SWITCHES: dict[str, type[Named] | None] = {  # None: yes or no
    "final_resolution": FinalResolution,
    "full_track": FullTrack,
    "spent_xp_scores": None,
    "exit_counts_start": None,
    "exit_counts_boss": None,
    "exit_counts_evaded": None,
    "pool_empty_stops": None,
    "forced_draw": None,
    "evaded_grunt_shields": None,
    "leap_ignores_start_bouncer": None,
    "focus_from_loot": FocusFromLoot,
    "zemun_target": ZemunTarget,
    "shadow_mode": ShadowMode,
    "o2_all_same_round": None,
    "o2_evade_counts": None,
    "o2_latch": ClearLatch,
    "empty_is_cleared": None,
    "boss_blocks_clear": None,
    "o6_counts_start": None,
    "o5_same_time": None,
    "obj_check": ObjectiveCheck,
    "allow_null_use": None,
    "optional_actions": None,
    "wound_full": WoundFull,
    "heal_none": HealNone,
    "focused_strike_hits": FocusedStrike,
    "ko_immediate": None,
    "ko_blocks_focus4": None,
    "eliminated_score": EliminatedScore,
    "unlock_throw": UnlockThrow,
    "unlocked_w_placeable": None,
    "unlock_bankable": None,
    "collect_mode": CollectMode,
    "added_count": None,
    "flashback_shared": None,
    "leap_return": None,
    "draw_deadline": DrawDeadline,
    "focus_resolution_skill": FocusResolutionSkill,
    "train_partial": None,
    "once_partial_focus_blocks": None,
    "several_modifiers": None,
    "gun_wounds": GunWounds,
    "unlock_all_on_assign": None,
    "no_lock": None,
    "boss_choice": None,
    "side_after_boss": None,
}
