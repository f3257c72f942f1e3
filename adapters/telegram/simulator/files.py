"""Files: what was sent, by id, with the sizes and addresses that the server gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adapters._shared.simulator.bodies import Upload
from adapters._shared.simulator.images import dimensions
from adapters.telegram.simulator.limits import PHOTO_BYTES, PHOTO_RATIO, PHOTO_SIDES
from adapters.telegram.simulator.refusals import bad

# https://core.telegram.org/api/files#image-thumbnail-types: the longest side of what is made of a photo.
_SIDES = (90, 320, 800, 1280)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredFile:
    """One file at the server."""

    id: str
    unique_id: str
    path: str
    name: str
    media_type: str
    data: bytes
    size: int
    """What the server says; larger than `data` where a test only pretends a size."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PhotoSize:
    """One size of a photo."""

    file: StoredFile
    width: int
    height: int

    def to_json(self) -> dict[str, Any]:
        return {
            "file_id": self.file.id,
            "file_unique_id": self.file.unique_id,
            "width": self.width,
            "height": self.height,
            "file_size": self.file.size,
        }


@dataclass(frozen=True, kw_only=True, slots=True)
class Photo:
    """A picture in all its sizes, smallest first."""

    sizes: tuple[PhotoSize, ...]

    @property
    def largest(self) -> StoredFile:
        return self.sizes[-1].file


class Files:
    """Everything that was uploaded."""

    def __init__(self) -> None:
        self._by_id: dict[str, StoredFile] = {}
        self._by_path: dict[str, StoredFile] = {}
        self._photos: dict[str, Photo] = {}

    def document(self, upload: Upload, *, size: int | None = None) -> StoredFile:
        """Keep a file as it is."""
        return self._keep(upload, "documents", size)

    def photo(self, upload: Upload) -> Photo:
        """Keep a picture in its sizes; raises what the server answers to what it does not take for one."""
        if len(upload.data) > PHOTO_BYTES:
            raise bad(
                f"file of size {len(upload.data)} bytes is too big for a photo; the maximum size is {PHOTO_BYTES} bytes"
            )
        measured = dimensions(upload.data)
        if measured is None:
            raise bad("IMAGE_PROCESS_FAILED")
        width, height = measured
        if not width or not height or width + height > PHOTO_SIDES or max(measured) > PHOTO_RATIO * min(measured):
            raise bad("PHOTO_INVALID_DIMENSIONS")
        longest = max(measured)
        sides = [side for side in _SIDES if side < longest]
        sides.append(min(longest, _SIDES[-1]))
        photo = Photo(sizes=tuple(self._size(upload, width, height, side) for side in dict.fromkeys(sides)))
        for size in photo.sizes:
            self._photos[size.file.id] = photo
        return photo

    def _size(self, upload: Upload, width: int, height: int, side: int) -> PhotoSize:
        # Every size holds the picture as it was sent: nothing here scales pictures.
        scale = side / max(width, height)
        return PhotoSize(
            file=self._keep(upload, "photos", None),
            width=max(1, round(width * scale)),
            height=max(1, round(height * scale)),
        )

    def _keep(self, upload: Upload, folder: str, size: int | None) -> StoredFile:
        number = len(self._by_id) + 1
        suffix = upload.name.rpartition(".")[2] if "." in upload.name else "bin"
        if folder == "photos":
            suffix = "jpg"
        kept = StoredFile(
            id=f"SimFile{number:08d}",
            unique_id=f"Unique{number:08d}",
            path=f"{folder}/file_{number}.{suffix}",
            name=upload.name,
            media_type=upload.media_type,
            data=upload.data,
            size=len(upload.data) if size is None else size,
        )
        self._by_id[kept.id] = kept
        self._by_path[kept.path] = kept
        return kept

    def by_id(self, file_id: str) -> StoredFile | None:
        return self._by_id.get(file_id)

    def by_path(self, path: str) -> StoredFile | None:
        return self._by_path.get(path)

    def known_photo(self, file_id: str) -> Photo | None:
        return self._photos.get(file_id)
