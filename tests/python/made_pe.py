"""DLLs for Windows that need any others, as small as the loader's tables allow."""

import struct

TEXT, ALIGNED = 0x1000, 0x200


def made_pe(imports=(), delayed=(), machine=0x8664, bits=64):
    """A DLL with a table of imports, one of those that are loaded when they are called, and one section that has both."""
    names, places = bytearray(), {}
    rows = 20 * (len(imports) + 1)
    # Of each DLL the function of number 1, by one table for all.
    functions = TEXT + rows + 32 * (len(delayed) + 1)
    table = struct.pack("<QQ", 1 << 63 | 1, 0) if bits == 64 else struct.pack("<II", 1 << 31 | 1, 0)
    tables = functions - TEXT + len(table)
    for name in (*imports, *delayed):
        places[name] = TEXT + tables + len(names)
        names += name.encode() + b"\0"
    section = b"".join(struct.pack("<5I", functions, 0, 0, places[name], functions) for name in imports) + bytes(20)
    section += b"".join(struct.pack("<8I", 1, places[name], 0, functions, functions, 0, 0, 0) for name in delayed)
    section += bytes(32) + table + names
    section += bytes(-len(section) % ALIGNED)
    folders = [(0, 0)] * 16
    folders[1] = (TEXT, rows) if imports else (0, 0)
    folders[13] = (TEXT + rows, 32 * len(delayed)) if delayed else (0, 0)
    optional = struct.pack("<HBBIIIII", 0x20B if bits == 64 else 0x10B, 14, 0, 0, len(section), 0, 0, TEXT)
    optional += struct.pack("<Q", 1 << 32) if bits == 64 else struct.pack("<II", 0, 1 << 24)
    optional += struct.pack("<IIHHHHHHIIIIHH", 0x1000, ALIGNED, 6, 0, 0, 0, 6, 0, 0, 0x4000, ALIGNED, 0, 3, 0)
    optional += struct.pack("<4Q" if bits == 64 else "<4I", 1 << 20, 1 << 12, 1 << 20, 1 << 12) + struct.pack("<II", 0, 16)
    optional += b"".join(struct.pack("<II", *folder) for folder in folders)
    head = struct.pack("<2s58xI", b"MZ", 0x40)
    head += struct.pack("<4sHHIIIHH", b"PE\0\0", machine, 1, 0, 0, 0, len(optional), 0x2022) + optional
    head += struct.pack("<8sIIIIIIHHI", b".rdata", len(section), TEXT, len(section), ALIGNED, 0, 0, 0, 0, 0x40000040)
    assert len(head) <= ALIGNED
    return head + bytes(ALIGNED - len(head)) + section
