"""What is in a PNG file."""

import struct
import zlib


def chunks(image: bytes) -> dict[bytes, bytes]:
    """Its parts by name, equal names joined; their checksums are right."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    found: dict[bytes, bytes] = {}
    place = 8
    while place < len(image):
        (length,) = struct.unpack_from(">I", image, place)
        named = image[place + 4 : place + 8 + length]
        (checksum,) = struct.unpack_from(">I", image, place + 8 + length)
        assert checksum == zlib.crc32(named)
        found[named[:4]] = found.get(named[:4], b"") + named[4:]
        place += 12 + length
    return found
