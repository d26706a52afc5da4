/** The Python program that transcribes: `<directory of the model> <file of samples>`; it writes one JSON value per line. */

/**
 * `faster_whisper` imports what it needs to decode files (av), to fetch models (huggingface_hub) and to draw bars (tqdm): 70 MB that are not used
 * here, and so are empty modules. Long recordings are cut where they are quiet, so that memory does not grow with them.
 */
export const whisperScript = `
import json, math, sys, types


class Unused:
    def __init__(self, *given, **named):
        pass

    def update(self, *given):
        pass

    def close(self):
        pass


class UnusedModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return Unused


for name in ('av', 'huggingface_hub', 'tqdm', 'tqdm.auto'):
    sys.modules[name] = UnusedModule(name)

import numpy
from faster_whisper import WhisperModel

RATE = 16000
PIECE = 300 * RATE
SEARCHED = 20 * RATE
WINDOW = RATE // 10


def write(value):
    print(json.dumps(value), flush=True)


def end_of_piece(samples, start):
    """Where it is quietest within the last seconds of the piece."""
    end = start + PIECE
    if end >= len(samples):
        return len(samples)
    tail = numpy.abs(samples[end - SEARCHED:end].astype(numpy.float32))
    loudness = tail[:len(tail) // WINDOW * WINDOW].reshape(-1, WINDOW).mean(axis=1)
    return end - SEARCHED + int(loudness.argmin()) * WINDOW + WINDOW // 2


def main(model, path):
    whisper = WhisperModel(model, device='cpu', compute_type='int8', cpu_threads=1, num_workers=1)
    samples = numpy.memmap(path, dtype='<i2', mode='r')
    start = 0
    while start < len(samples):
        end = end_of_piece(samples, start)
        piece = samples[start:end].astype(numpy.float32) / 32768.0
        begin_ms, end_ms = start * 1000 // RATE, end * 1000 // RATE
        segments, _ = whisper.transcribe(piece, language='en', condition_on_previous_text=False)
        for segment in segments:
            first = begin_ms + math.floor(segment.start * 1000)
            last = min(end_ms, begin_ms + math.ceil(segment.end * 1000))
            # What the model makes of noise and silence.
            is_speech = segment.no_speech_prob < 0.6 and segment.avg_logprob > -1.0
            if is_speech and first < last and any(letter.isalnum() for letter in segment.text):
                write({'startMs': first, 'endMs': last, 'text': segment.text.strip(),
                       'confidence': min(1.0, math.exp(segment.avg_logprob))})
            write({'doneMs': last})
        write({'doneMs': end_ms})
        start = end


main(*sys.argv[1:3])
`;
