"""WebAssembly object files, as LLVM writes them, and how they become modules without a linker.

LLVM writes the code of a single object file as if it were linked alone: all indices are final. Only
the list of exports is missing. It is made from the symbol table in the section "linking"; see
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

CUSTOM, IMPORT, EXPORT, ELEMENT, DATA_COUNT = 0, 2, 7, 9, 12  # numbers of sections
HEADER_SIZE = 8  # of a module: magic number and version
SYMBOL_TABLE = 8  # number of the subsection of "linking"
FUNCTION_SYMBOL, DATA_SYMBOL, SECTION_SYMBOL = 0, 1, 3
FUNCTION_IMPORT, TABLE_IMPORT, MEMORY_IMPORT, GLOBAL_IMPORT = range(4)
HAS_MAXIMUM = 1  # flag of limits
UNDEFINED, EXPLICIT_NAME = 0x10, 0x40  # flags of symbols


class Reader:
    """Reads numbers and texts of a WebAssembly file.

    Args:
        data: The bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def read_number(self) -> int:
        """Return the next unsigned number, which is written in LEB128."""
        number = shift = 0
        while True:
            byte = self.data[self.position]
            self.position += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def read_bytes(self) -> bytes:
        """Return the next bytes, whose number comes first."""
        size = self.read_number()
        self.position += size
        return self.data[self.position - size : self.position]

    @property
    def is_at_end(self) -> bool:
        """True if nothing is left to read."""
        return self.position >= len(self.data)


def add_exports(object_file: bytes, names: Mapping[str, str]) -> bytes:
    """Return an object file as a module that exports functions.

    Args:
        object_file: The object file.
        names: Names of exports, and the symbols of their functions.
    """
    sections = list(read_sections(object_file))
    indices: dict[str, int] = {}
    for number, content in sections:
        if number == CUSTOM:
            indices |= find_functions(content)
    items = b""
    for name, symbol in names.items():
        items += write_bytes(name.encode()) + b"\0" + write_number(indices[symbol])
    exports = write_number(len(names)) + items
    module = object_file[:HEADER_SIZE]
    for number, content in sections:
        if number in range(ELEMENT, DATA_COUNT + 1) and exports:
            module += bytes([EXPORT]) + write_bytes(exports)
            exports = b""
        if number != CUSTOM:
            module += bytes([number]) + write_bytes(content)
    return module


def read_sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number and content of each section."""
    reader = Reader(data)
    reader.position = HEADER_SIZE
    while not reader.is_at_end:
        number = reader.read_number()
        yield number, reader.read_bytes()


def find_functions(custom_section: bytes) -> dict[str, int]:
    """Return the indices of the functions in the symbol table, by their names."""
    reader = Reader(custom_section)
    if reader.read_bytes() != b"linking":
        return {}
    reader.read_number()  # the version
    while not reader.is_at_end:
        kind = reader.read_number()
        content = reader.read_bytes()
        if kind == SYMBOL_TABLE:
            return read_symbol_table(content)
    return {}


def read_symbol_table(content: bytes) -> dict[str, int]:
    """Return the indices of the functions that are defined, by their names."""
    reader = Reader(content)
    indices = {}
    for _ in range(reader.read_number()):
        kind, flags = reader.read_number(), reader.read_number()
        is_defined = not flags & UNDEFINED
        if kind == DATA_SYMBOL:
            reader.read_bytes()
            for _ in range(3 if is_defined else 0):  # segment, offset, size
                reader.read_number()
            continue
        index = reader.read_number()
        if kind != SECTION_SYMBOL and (is_defined or flags & EXPLICIT_NAME):
            name = reader.read_bytes().decode()
            if kind == FUNCTION_SYMBOL and is_defined:
                indices[name] = index
    return indices


def list_imports(object_file: bytes) -> list[str]:
    """Return the names of all that a module imports."""
    names = []
    for number, content in read_sections(object_file):
        reader = Reader(content)
        for _ in range(reader.read_number() if number == IMPORT else 0):
            reader.read_bytes()  # the name of a module
            names.append(reader.read_bytes().decode())
            skip_import(reader)
    return names


def skip_import(reader: Reader) -> None:
    """Read what is imported: a function, table, memory, or global variable."""
    kind = reader.read_number()
    if kind == FUNCTION_IMPORT:
        reader.read_number()
        return
    if kind in (TABLE_IMPORT, GLOBAL_IMPORT):
        reader.read_number()  # the type of its values
    flags = reader.read_number()
    if kind in (TABLE_IMPORT, MEMORY_IMPORT):
        for _ in range(2 if flags & HAS_MAXIMUM else 1):
            reader.read_number()


def write_number(number: int) -> bytes:
    """Return an unsigned number in LEB128."""
    written = b""
    while number > 0x7F:
        written += bytes([number & 0x7F | 0x80])
        number >>= 7
    return written + bytes([number])


def write_bytes(content: bytes) -> bytes:
    """Return bytes with their number before them."""
    return write_number(len(content)) + content
