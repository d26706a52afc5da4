"""Writes tokenizer-cases.json: texts, and their ids by Hugging Face's `tokenizers`.

python3 tokenizer-cases.py TOKENIZER_JSON > tokenizer-cases.json   (tokenizers 0.23.3; then biome check --write)

The vocabulary (BERT's, Apache 2.0) is reduced to the pieces that can be looked up for these texts.
Texts hold no names of special tokens, which that library reads as tokens and ours as text, and no characters newer than its tables.
"""
import json
import random
import sys

from tokenizers import Tokenizer

written = """
The quick brown fox jumps over the lazy dog.
Unaffable, antidisestablishmentarianism; un-re-lia-bly re-tokenized!
Invoice #4711-A/B: 1.234,56 € (incl. 19 % VAT) due 2026-11-29T21:24:03Z
user@example.com http://example.com/a_b?c=d&e=%20f#g C:\\Temp\\x.txt ~/.ssh/id_ed25519
It's "quoted" – ‘curly’ “quotes” — dashes… and ellipses; don't, won't, y'all'd've
ÀÉÎÕÜ àéîõü ñ ç ß ẞ ø Ø å Å æ œ ł đ İstanbul ıssız ﬁ ﬂ ﬃ
Ångström Ångström naïve naïve coöperate résumé Crème brûlée
ΑΘΗΝΑ Ἀθῆναι ὈΔΥΣΣΕΎΣ Σίσυφος ΟΔΟΣ σς
Привет, мир! Съешь же ещё этих мягких французских булок. Ёлка й Ї
東京都は日本の首都です。カタカナ ひらがな ㌔ ｶﾀｶﾅ ｈａｌｆ ＦＵＬＬ １２３
中华人民共和国 北京 统计学 龍龜 豈更 㐀㐁 𠀀𠀁
대한민국 서울 한국어 각 가
العربية مُحَمَّد لا إله ٠١٢٣ ۱۲۳ پچگ
עברית שָׁלוֹם עולם״
हिन्दी नमस्ते दुनिया क्षत्रिय தமிழ் ไทย ภาษาไทย
Tiếng Việt: Đường phố Hà Nội, Nguyễn
x² + y³ = z₁ ½ ¾ ∑ ∫ √2 ≤ ≥ ≠ ± × ÷ ∞ π≈3.14159 10⁻⁶ µm Ω Å
$100 £5 ¥7 ₹8 ©®™ § ¶ † ‡ • ° ´ ` ^ ¨ ~ | < > = + _ \\ / { } [ ]
def f(x: int) -> dict[str, int]: return {"a": x ** 2, 'b': ~x}  # noqa
for (const [i, v] of a.entries()) { if (v !== null && i >= 0) console.log(`${i}: ${v}`); }
SELECT * FROM t WHERE a <> 'b' AND c LIKE '%d_'; -- comment
👍 👩‍👩‍👧 🇩🇪 ❤️ 😀😀 emoji☺text ✓ ✔︎
"""

edges = [
    "",
    " ",
    "\t\n\r\n",
    ".",
    "a",
    "\u4e2d",
    "a\u0000b\ufffdc\u200bd\u00ade\u2028f\u2029g\u0085h\u00a0i\u3000j\ufeffk",
    "line one\nline two\r\nline three\ttab\u000bvertical\u000cfeed",
    "x" * 100,
    "x" * 101,
    "é" * 100,
    "\U0001d538" * 100,
    "\U0001d538" * 101,
    "a\u0301\u0302\u0303b",
    "\u0301",
    "\u0301\u0302 a",
    "...!!!???---___***",
    "word " * 400,
    "unaffable" * 60,
    ", " * 300,
    "中" * 300,
    "hello" * 19 + "hello",
    "##ing ## #a## a##b",
    "ing ##ing",
    "1" * 90,
    "Σ ΑΣ ΑΣ. ΣΑΣ",
    "ǅ ǈ ǋ Ǳ ﬀ",
    "\ud7a3\uac00\u1100\u1161\u11a8",
]

blocks = [
    (0x20, 0x7E),
    (0xA0, 0x17F),
    (0x1E00, 0x1EFF),
    (0x391, 0x3C9),
    (0x410, 0x44F),
    (0x5D0, 0x5EA),
    (0x621, 0x64A),
    (0x905, 0x939),
    (0xE01, 0xE2E),
    (0x3041, 0x3096),
    (0x30A1, 0x30FA),
    (0x4E00, 0x9FA5),
    (0xAC00, 0xD7A3),
    (0x2010, 0x2027),
    (0x2190, 0x21FF),
    (0x300, 0x36F),
    (0x1F600, 0x1F64F),
]
words = (
    "indexing retrieval embeddings tokenization quantized normalisation unbelievable misunderstood hyperparameter "
    "electroencephalogram Kubernetes PostgreSQL event-sourced OAuth2.0 2FA e-mail naïveté Übermut São Zürich "
    "don't 3.14 x86_64 README.md v1.2.3-rc.4 https://septet.example/q?x=1 #hashtag @mention 50% $9.99"
).split()


def random_text(rng: random.Random) -> str:
    parts = []
    for _ in range(rng.randint(1, 14)):
        if rng.random() < 0.5:
            word = rng.choice(words)
            parts.append(rng.choice([word, word.upper(), word.title(), word[: rng.randint(1, len(word))]]))
        else:
            low, high = rng.choice(blocks)
            parts.append("".join(chr(rng.randint(low, high)) for _ in range(rng.randint(1, 5))))
        parts.append(rng.choice([" ", " ", "", "\n", "  ", ", "]))
    return "".join(parts)


def main() -> None:
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    vocabulary = tokenizer.get_vocab()
    rng = random.Random(384)
    texts = [line for line in written.strip().split("\n")] + edges + [random_text(rng) for _ in range(200)]
    used = {name: vocabulary[name] for name in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")}
    for text in texts:
        for word, _ in tokenizer.pre_tokenizer.pre_tokenize_str(tokenizer.normalizer.normalize_str(text)):
            for start in range(len(word)):
                for end in range(start + 1, min(len(word), start + 20) + 1):
                    piece = word[start:end] if start == 0 else "##" + word[start:end]
                    if piece in vocabulary:
                        used[piece] = vocabulary[piece]
    cases = [{"text": text, "ids": tokenizer.encode(text).ids} for text in texts]
    ordered = dict(sorted(used.items(), key=lambda item: item[1]))
    json.dump({"vocabulary": ordered, "cases": cases}, sys.stdout, ensure_ascii=True)


main()
