"""Makes the tokenizer of multilingual-e5-small as a model of SentencePiece. Pure.

The rule by which it normalises characters is SentencePiece's own, of which the file has only the
part that concerns single characters. Such a model is a message of Protocol Buffers, and messages in
a row are merged, so that it is put together from parts: see the encoding's "Last One Wins".
"""

import struct
from collections.abc import Iterator

import sentencepiece

from memoryapp.providers.builtin_model.e5_file import UnigramVocabulary

#: Compatibility forms of Unicode, and what translation systems replace.
RULE = "nmt_nfkc"

# Fields of the messages, by number.
_PIECES, _TRAINER, _NORMALIZER = 1, 2, 3
_PIECE, _SCORE, _TYPE = 1, 2, 3
_MODEL_TYPE, _UNKNOWN_ID, _BEGIN_ID, _END_ID, _PADDING_ID = 3, 40, 41, 42, 43
_ADD_SPACE_BEFORE, _REMOVE_SPACES, _MARK_SPACES = 3, 4, 5
# Their values.
_UNIGRAM = 1
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3


def tokenizer(vocabulary: UnigramVocabulary) -> bytes:
    """Return the serialised model; its ids are those of *vocabulary*."""
    rule: bytes = sentencepiece.SentencePieceNormalizer(rule_name=RULE).serialized_model_proto()
    trained = {
        _MODEL_TYPE: _UNIGRAM,
        _UNKNOWN_ID: vocabulary.unknown,
        _BEGIN_ID: vocabulary.begin,
        _END_ID: vocabulary.end,
        _PADDING_ID: vocabulary.padding,
    }
    normalised = {_ADD_SPACE_BEFORE: 1, _REMOVE_SPACES: 1, _MARK_SPACES: 1}
    return b"".join(
        [
            *_pieces(vocabulary),
            rule,
            _message(_TRAINER, _numbers(trained)),
            _message(_NORMALIZER, _numbers(normalised)),
        ]
    )


def _pieces(vocabulary: UnigramVocabulary) -> Iterator[bytes]:
    control = {vocabulary.begin, vocabulary.end, vocabulary.padding, vocabulary.mask}
    for id, (piece, score) in enumerate(zip(vocabulary.pieces, vocabulary.scores, strict=True)):
        kind = _UNKNOWN if id == vocabulary.unknown else _CONTROL if id in control else _NORMAL
        content = [
            _message(_PIECE, piece.encode()),
            _tag(_SCORE, 5) + struct.pack("<f", score),
            _numbers({_TYPE: kind}),
        ]
        yield _message(_PIECES, b"".join(content))


def _message(field: int, content: bytes) -> bytes:
    return _tag(field, 2) + _varint(len(content)) + content


def _numbers(fields: dict[int, int]) -> bytes:
    return b"".join(_tag(field, 0) + _varint(number) for field, number in fields.items())


def _tag(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
