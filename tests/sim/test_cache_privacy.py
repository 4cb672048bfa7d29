"""The cache is used only where nobody else can plant files, and nothing in it is deleted but what was cached."""

import logging
import os
import pickle
from pathlib import Path

import pytest

from hardmode.sim.files import cache_folder
from hardmode.sim.files.cache_folder import (
    explain_not_private,
    find_cache_folder,
    find_cache_root,
    read_entry,
    write_entry,
)

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no users")
OTHER_USER = 54321
ARRAYS = "arrays"
NAME = "0123456789abcdef" * 2


@pytest.fixture
def cache(tmp_path, monkeypatch) -> Path:
    """A cache, and no other place that could be one."""
    place = tmp_path / "cache"
    monkeypatch.setenv("HARDMODE_CACHE", str(place))
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    monkeypatch.setattr(cache_folder.tempfile, "gettempdir", lambda: "/proc/none")
    return place


@pytest.fixture
def give_away(monkeypatch):
    """Return a function that gives a file to another user: root can do so, others become the other user."""

    def give(path: Path) -> None:
        if os.getuid() == 0:
            os.chown(path, OTHER_USER, OTHER_USER, follow_symlinks=False)
        else:
            monkeypatch.setattr(os, "getuid", lambda: OTHER_USER)

    return give


@pytest.fixture
def messages(caplog):
    caplog.set_level(logging.WARNING, "hardmode")
    return lambda: [record.getMessage() for record in caplog.records]


def test_a_private_cache_is_used_without_a_word(cache, messages):
    assert find_cache_root() == cache and find_cache_folder(ARRAYS) == cache / ARRAYS
    assert cache.stat().st_mode & 0o777 == (cache / ARRAYS).stat().st_mode & 0o777 == 0o700
    assert not messages()


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o720, 0o702, 0o1777])
def test_a_cache_that_others_can_write_to_is_not_used_and_a_line_says_so(cache, messages, mode):
    cache.mkdir()
    cache.chmod(mode)
    for _ in range(3):
        assert find_cache_root() is None
    first, last = messages()
    assert first == f"the cache {cache} is not used: other users can write to it"
    assert "everything is compiled anew" in last


def test_nor_is_one_of_another_user(cache, messages, give_away):
    cache.mkdir(mode=0o700)
    give_away(cache)
    assert find_cache_root() is None
    assert "belongs to another user" in messages()[0]


@pytest.mark.parametrize("mode, is_private", [(0o770, False), (0o777, False), (0o1777, True), (0o755, True)])
def test_a_folder_above_must_have_the_sticky_bit_if_others_can_write_to_it(cache, mode, is_private):
    cache.mkdir(mode=0o700)
    cache.parent.chmod(mode)
    assert (find_cache_root() == cache) == is_private


def test_nobody_else_owns_a_folder_above(cache, give_away):
    """Its owner could put another folder in the place of the cache."""
    place = cache / "deep"
    place.mkdir(parents=True, mode=0o700)
    assert explain_not_private(place) is None
    give_away(cache)
    assert "belongs to another user" in explain_not_private(place)


def test_folders_that_are_made_are_private_whatever_the_umask(cache, monkeypatch):
    old = os.umask(0)
    try:
        monkeypatch.setenv("HARDMODE_CACHE", str(cache / "a" / "b"))
        assert find_cache_root() == cache / "a" / "b"
        assert find_cache_folder(ARRAYS)
        write_entry(cache / "a" / "b" / ARRAYS / "x", b"content")
    finally:
        os.umask(old)
    assert [path.stat().st_mode & 0o777 for path in (cache, cache / "a", cache / "a" / "b")] == [0o700] * 3
    assert read_entry(cache / "a" / "b" / ARRAYS / "x") == b"content"


@pytest.mark.parametrize("mode", [0o770, 0o1777])
def test_a_subfolder_that_others_can_write_to_is_not_used(cache, messages, mode):
    find_cache_folder(ARRAYS).chmod(mode)
    assert find_cache_folder(ARRAYS) is None and find_cache_root() == cache
    [said] = messages()
    assert "are not used where other users can write" in said


def test_nor_is_a_subfolder_of_another_user(cache, give_away):
    give_away(find_cache_folder(ARRAYS))
    assert find_cache_folder(ARRAYS) is None


def test_a_link_is_followed_to_a_private_folder_alone(cache, tmp_path):
    shared = tmp_path / "shared"
    (shared / "mine").mkdir(parents=True, mode=0o700)
    cache.symlink_to(shared / "mine")
    assert find_cache_root() == shared / "mine"
    shared.chmod(0o777)  # others could move the folder away and put theirs there
    assert find_cache_root() is None


def test_a_link_that_another_user_made_is_not_followed(cache, tmp_path, give_away):
    """In /tmp, it could lead to any folder of the user."""
    (tmp_path / "home").mkdir(mode=0o700)
    cache.symlink_to("home")
    give_away(cache)
    assert find_cache_root() is None


def test_links_in_a_circle_are_no_trouble(cache, messages):
    cache.symlink_to(cache)
    assert find_cache_root() is None and "is not used" in messages()[0]


@pytest.mark.parametrize("mode", [0o660, 0o606, 0o622])
def test_a_file_that_others_can_write_to_is_not_read(cache, mode):
    file = find_cache_folder(ARRAYS) / "x"
    write_entry(file, b"content")
    assert read_entry(file) == b"content"
    file.chmod(mode)
    assert read_entry(file) is None


def test_nor_is_a_file_of_another_user(cache, give_away):
    file = find_cache_folder(ARRAYS) / "x"
    write_entry(file, b"content")
    give_away(file)
    assert read_entry(file) is None


def test_planted_code_is_not_run(cache, give_away, tmp_path):
    """With the right name and checksum: an entry of a file that another user wrote."""
    from hardmode.sim.compile.numba_engine import read_code

    class Bomb:
        def __reduce__(self):
            return (tmp_path / "exploded").touch, ()

    file = find_cache_folder("ab") / f"{NAME}.choose.code"
    write_entry(file, pickle.dumps((Bomb(),)))
    give_away(file)
    assert read_code(file) is None and not (tmp_path / "exploded").exists()


def fill_with_old_files(folder):
    for name in ("thesis.tex", "thesis/chapter.tex", "thesis/deep/er.tex", "ab/own.code"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))


def list_files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_deleted_from_a_folder_that_held_files_of_the_user(cache, monkeypatch):
    """Who names a folder of their own as the cache does not lose what is in it."""
    cache.mkdir(mode=0o700)
    fill_with_old_files(cache)
    own = list_files(cache)
    monkeypatch.setattr(cache_folder, "MAX_CACHE_BYTES", 0)
    entry = cache_folder.find_entry(ARRAYS, NAME)
    write_entry(entry, b"content")  # prunes
    cache_folder.prune(cache)
    assert own < list_files(cache) and read_entry(entry) == b"content"


def test_a_folder_that_was_empty_is_a_cache_and_tagged_as_one(cache):
    find_cache_root()
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    old = cache_folder.find_entry(ARRAYS, NAME)
    write_entry(old, b"content")
    os.utime(old, (1, 1))
    cache_folder.prune(cache)
    assert not old.exists()


def test_the_cache_of_another_program_is_not_pruned(cache):
    cache.mkdir(mode=0o700)
    (cache / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n# of pip\n")
    fill_with_old_files(cache)
    find_cache_root()
    cache_folder.prune(cache)
    assert "thesis/chapter.tex" in list_files(cache)


def test_the_users_own_cache_folder_is_always_pruned(cache, monkeypatch, tmp_path):
    monkeypatch.delenv("HARDMODE_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    old = tmp_path / "xdg" / "hardmode" / ARRAYS / NAME
    old.parent.mkdir(parents=True, mode=0o700)
    for folder in (tmp_path / "xdg", tmp_path / "xdg" / "hardmode"):
        folder.chmod(0o700)
    old.write_text("")
    os.utime(old, (1, 1))
    cache_folder.prune(find_cache_root())
    assert not old.exists()


def test_no_cache_at_all_is_said_once(cache, monkeypatch, messages):
    monkeypatch.setenv("HARDMODE_CACHE", "/proc/none")
    for _ in range(3):
        assert find_cache_root() is None
    assert len(messages()) == 2 and messages()[0].startswith("the cache /proc/none is not used: ")
    monkeypatch.setenv("HARDMODE_CACHE", "off")
    assert find_cache_root() is None and len(messages()) == 2
