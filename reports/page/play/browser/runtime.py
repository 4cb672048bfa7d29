"""What the words of games need in a page and MicroPython does not have.

`plain_python` writes calls of the functions whose names begin with an underscore.
"""

import math
import re
import struct
from collections import OrderedDict

# -- texts, lists and dictionaries ----------------------------------------------------------------


def _dict(*parts, **named):
    """Return a dictionary in the order in which its parts were written."""
    result = OrderedDict()
    for part in parts + (named,):
        for key, value in part.items() if isinstance(part, dict) else part:
            result[key] = value
    return result


def _join(*parts):
    result = []
    for part in parts:
        result.extend(part)
    return result


def _zip(*parts, strict=False):
    items = list(zip(*parts))
    if strict and any(len(list(part)) != len(items) for part in parts if hasattr(part, "__len__")):
        raise ValueError("zip() arguments have different lengths")
    return items


def _sorted(items, key=None, reverse=False):
    """Return a sorted list; equal items keep their order, as MicroPython's do not."""
    items = list(items)
    keys = [key(item) for item in items] if key else items
    sign = -1 if reverse else 1
    order = [(keys[i], sign * i) for i in range(len(items))]
    order.sort(reverse=reverse)
    return [items[sign * i] for _, i in order]


def _slice(items, start, stop, step):
    """Return `items[start:stop:step]`."""
    n = len(items)
    low, high = (0, n) if step > 0 else (-1, n - 1)
    first, last = (low, high) if step > 0 else (high, low)
    if start is not None:
        first = min(max(start + n if start < 0 else start, low), high)
    if stop is not None:
        last = min(max(stop + n if stop < 0 else stop, low), high)
    picked = [items[i] for i in range(first, last, step)]
    return "".join(picked) if isinstance(items, str) else type(items)(picked)


def _compile_pattern(pattern):
    return re.compile(pattern)


def _ljust(text, width, fill=" "):
    return text + fill * (width - len(text))


def _center(text, width, fill=" "):
    space = max(0, width - len(text))
    left = space // 2 + (space & width & 1)
    return fill * left + text + fill * (space - left)


def _rjust(text, width, fill=" "):
    return fill * (width - len(text)) + text


def _zfill(text, width):
    sign = text[:1] if text[:1] in ("+", "-") else ""
    return sign + _rjust(text[len(sign) :], width - len(sign), "0")


def _removeprefix(text, prefix):
    return text[len(prefix) :] if text.startswith(prefix) else text


def _removesuffix(text, suffix):
    return text[: len(text) - len(suffix)] if suffix and text.endswith(suffix) else text


def _capitalize(text):
    return text[:1].upper() + text[1:].lower()


def _title(text):
    words = re.compile("[ ]").split(text)
    return " ".join([_capitalize(word) for word in words])


def _bit_length(number):
    number = abs(number)
    length = 0
    while number:
        number >>= 1
        length += 1
    return length


def _bit_count(number):
    return bin(number).count("1")


def _sort(items, key=None, reverse=False):
    items[:] = _sorted(items, key, reverse)


_METHODS = {
    "bit_count": _bit_count,
    "bit_length": _bit_length,
    "capitalize": _capitalize,
    "center": _center,
    "ljust": _ljust,
    "removeprefix": _removeprefix,
    "removesuffix": _removesuffix,
    "rjust": _rjust,
    "sort": _sort,
    "title": _title,
    "zfill": _zfill,
}


def _call_method(owner, name, *args, **named):
    """Call a method that texts, numbers and lists of MicroPython lack, or do otherwise."""
    if isinstance(owner, (str, int, list)):
        return _METHODS[name](owner, *args, **named)
    return getattr(owner, name)(*args, **named)


class Counter(OrderedDict):
    """Numbers of things."""

    def __init__(self, items=()):
        super().__init__()
        for item in items:
            self[item] = self.get(item, 0) + 1

    def __sub__(self, other):
        rest = Counter()
        for item, n in self.items():
            if n > other.get(item, 0):
                rest[item] = n - other.get(item, 0)
        return rest

    def elements(self):
        return [item for item, n in self.items() for _ in range(n)]

    def most_common(self, n=None):
        return _sorted(self.items(), lambda pair: -pair[1])[:n]


# -- numbers as text ------------------------------------------------------------------------------


def _split(number):
    """Return the integers m and e of a positive float, which is m * 2**e."""
    bits = struct.unpack("<Q", struct.pack("<d", number))[0]
    exponent = bits >> 52
    mantissa = bits & ((1 << 52) - 1)
    return (mantissa | 1 << 52 if exponent else mantissa), max(exponent, 1) - 1075


def _scale(number, digits):
    """Return a positive float times a power of ten, rounded to an integer, from its exact value."""
    mantissa, shift = _split(number)
    above = (mantissa * 10 ** max(digits, 0)) << max(shift, 0)
    below = 10 ** max(-digits, 0) << max(-shift, 0)
    whole, rest = divmod(above, below)
    if 2 * rest > below or (2 * rest == below and whole & 1):
        whole += 1
    return whole


def _is_nearest(number, whole, digits):
    """Return whether whole / 10**digits is nearer to a positive float than to all others."""
    mantissa, shift = _split(number)
    shift -= 2
    scaled = (whole * 10 ** max(-digits, 0)) << max(-shift, 0)
    unit = 10 ** max(digits, 0) << max(shift, 0)
    below = 1 if mantissa == 1 << 52 else 2  # quarters of the distance of two floats
    low, high = (4 * mantissa - below) * unit, (4 * mantissa + 2) * unit
    return low < scaled < high or (mantissa & 1 == 0 and scaled in (low, high))


def _repr(value):
    """Return `repr(value)`: the shortest text that means a float, but for some powers of two."""
    if not isinstance(value, float) or not value or not math.isfinite(value):
        return repr(value)
    size = abs(value)
    for digits in range(1, 18):
        exponent = _find_exponent(size, digits)
        if _is_nearest(size, _scale(size, digits - 1 - exponent), digits - 1 - exponent):
            break
    sign = "-" if value < 0 else ""
    if -4 <= exponent < 16:
        return sign + _write_fixed(size, max(1, digits - 1 - exponent))
    return sign + _write_float(size, "e", digits - 1)


def _str(value=""):
    return _repr(value) if isinstance(value, float) else str(value)


def _round(number, digits=None):
    if not isinstance(number, float) or digits is None or not math.isfinite(number):
        return round(number) if digits is None else number
    whole = _scale(abs(number), digits)
    size = whole / 10**digits if digits >= 0 else float(whole * 10**-digits)
    return -size if number < 0 else size


def _write_fixed(number, digits):
    text = _zfill(str(_scale(number, digits)), digits + 1)
    return text[: len(text) - digits] + "." + text[len(text) - digits :] if digits else text


def _find_exponent(number, digits):
    """Return the power of ten of the first digit, if the number is rounded to some digits."""
    if not number:
        return 0
    exponent = math.floor(math.log10(number))
    while _scale(number, digits - 1 - exponent) >= 10**digits:
        exponent += 1
    while _scale(number, digits - 1 - exponent) < 10 ** (digits - 1):
        exponent -= 1
    return exponent


def _write_float(number, kind, digits):
    """Return a positive float as text, as Python writes it."""
    if kind == "%":
        return _write_fixed(100 * number, digits) + "%"
    if kind == "f":
        return _write_fixed(number, digits)
    if kind == "g":
        digits = max(digits, 1)
        exponent = _find_exponent(number, digits)
        if -4 <= exponent < digits:
            text = _write_fixed(number, digits - 1 - exponent)
            return text.rstrip("0").rstrip(".") if "." in text else text
        digits -= 1
    exponent = _find_exponent(number, digits + 1)
    text = _ljust(str(_scale(number, digits - exponent)), digits + 1, "0")
    tail = text[1:].rstrip("0") if kind == "g" else text[1:]
    sign = "-" if exponent < 0 else "+"
    return text[:1] + ("." if tail else "") + tail + "e" + sign + _zfill(str(abs(exponent)), 2)


_SPEC = re.compile(r"^(.?[<>=^])?([-+ ]?)(0?)([0-9]*)(,?)(\.[0-9]+)?([a-z%]?)$")


def _format(value, spec):
    """Return `format(value, spec)`, with floats rounded as Python rounds them."""
    found = _SPEC.match(spec) if isinstance(value, float) else None
    kind = found.group(7) if found else ""
    if not spec:
        return _str(value)
    if kind not in ("f", "g", "e", "%") or not math.isfinite(value):
        return ("{:" + spec + "}").format(value)
    align, sign, zero, width, comma, digits = [found.group(i) or "" for i in range(1, 7)]
    text = _write_float(abs(value), kind, int(digits[1:]) if digits else 6)
    if comma:
        whole, dot, rest = text.partition(".")
        text = "{:,}".format(int(whole)) + dot + rest
    is_negative = value < 0 or math.copysign(1, value) < 0
    sign = "-" if is_negative else sign if sign in ("+", " ") else ""
    if zero and not align:
        return sign + _zfill(text, int(width or 0) - len(sign))
    return ("{:" + (align or ">") + width + "}").format(sign + text)


# -- enumerations ---------------------------------------------------------------------------------


class _Member(int):
    """A member of an enumeration: a number with its name and attributes."""


class _Enumeration:
    """An enumeration by its members."""

    def __init__(self, described):
        self.__members__ = OrderedDict()
        self._by_number = OrderedDict()
        for name, number, attributes in described:
            member = _Member(number)
            member.name = name
            member.value = number
            for key, value in attributes.items():
                setattr(member, key, value)
            self.__members__[name] = member
            self._by_number.setdefault(number, member)

    def __getattr__(self, name):
        if name in self.__members__:
            return self.__members__[name]
        raise AttributeError(name)

    def __call__(self, number):
        if number not in self._by_number:
            raise ValueError("no member has this number: %d" % number)
        return self._by_number[number]

    def __iter__(self):
        return iter(self._by_number.values())

    def __len__(self):
        return len(self._by_number)

    def labels(self):
        return tuple([member.label for member in self._by_number.values()])

    def size(self):
        return sum([member.entries for member in self._by_number.values()])


# -- records --------------------------------------------------------------------------------------


class _Bytes:
    """Bytes in memory."""

    def __init__(self, data):
        self._data = data

    def unpack(self, code, at):
        return struct.unpack_from(code, self._data, at)

    def pack(self, code, at, value):
        struct.pack_into(code, self._data, at, value)

    def copy(self, at, size):
        return _Bytes(bytearray(self._data[at : at + size]))


class _FileBytes:
    """Bytes of a file, which do not change."""

    def __init__(self, path):
        self._file = open(path, "rb")
        self._read = {}

    def unpack(self, code, at):
        if (code, at) not in self._read:
            self._file.seek(at)
            data = self._file.read(struct.calcsize(code))
            self._read[code, at] = struct.unpack(code, data)
        return self._read[code, at]

    def copy(self, at, size):
        self._file.seek(at)
        return _Bytes(bytearray(self._file.read(size)))


def _make_view(data, at, shape, item):
    if shape:
        return Cells(data, at, shape, item)
    return data.unpack("<" + item, at)[0] if isinstance(item, str) else Record(data, at, item)


class Record:
    """A record, with its fields as attributes.

    Args:
        data: The bytes.
        at: Where it begins.
        layout: Its size, and for each field its place, its shape and its type.
    """

    def __init__(self, data, at, layout):
        self._data = data
        self._at = at
        self._fields = layout["fields"]

    def __getattr__(self, name):
        if name not in self._fields:
            raise AttributeError(name)
        place, shape, item = self._fields[name]
        view = _make_view(self._data, self._at + place, shape, item)
        setattr(self, name, view)
        return view


class Cells:
    """An array of numbers or records."""

    def __init__(self, data, at, shape, item):
        self._data = data
        self._at = at
        self.shape = shape
        self._item = item
        self._rest = shape[1:]
        self._code = "<" + item if isinstance(item, str) else ""
        self._step = struct.calcsize(self._code) if self._code else item["size"]
        for n in self._rest:
            self._step *= n

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, key):
        if self._code and not self._rest and isinstance(key, int):
            return self._data.unpack(self._code, self._find(key))[0]
        if isinstance(key, tuple):
            view = self
            for part in key:
                view = view[part]
            return view
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                raise IndexError("only slices without a step")
            shape = [max(0, stop - start)] + list(self._rest)
            return Cells(self._data, self._at + start * self._step, shape, self._item)
        return _make_view(self._data, self._find(key), self._rest, self._item)

    def __setitem__(self, key, value):
        if isinstance(key, tuple):
            self[key[:-1] if len(key) > 2 else key[0]][key[-1]] = value
        else:
            self._data.pack(self._code, self._find(key), value)

    def __iter__(self):
        if self._code and not self._rest and len(self):
            return iter(self._data.unpack("<%d%s" % (len(self), self._item), self._at))
        return iter([self[i] for i in range(len(self))])

    def _find(self, i):
        n = self.shape[0]
        if not -n <= i < n:
            raise IndexError("index %d of %d" % (i, n))
        return self._at + (i + n if i < 0 else i) * self._step

    def copy(self):
        data = self._data.copy(self._at, self._step * len(self))
        return Cells(data, 0, self.shape, self._item)

    def tolist(self):
        return [item.tolist() if isinstance(item, Cells) else item for item in self]


def read_name(cells):
    """Return the name that `write_name` stored; its last letter may have been cut in two."""
    encoded = bytes([code & 255 for code in cells if code])
    for cut in range(4):
        try:
            return encoded[: len(encoded) - cut].decode()
        except UnicodeError:
            pass
    return ""
