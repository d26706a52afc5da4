/** Holds a reader to the limit of text, and its elements to the length that one may have. */
import type { Either } from 'fp-ts/Either';
import { type Element, maxElementText } from '../../../domain/files/content/element';
import type { DocumentFacts, ReadFailure } from '../../../domain/files/content/read-result';
import { fail, type ReadLimits } from './reader';
import { cutBefore } from './text-cleaning';

/** Long elements are cut at a space; each piece has the anchor of the whole. For elements without word boxes. */
function* pieces(element: Element): Generator<Element> {
  for (let rest = element.text; rest !== ''; ) {
    const end = cutBefore(rest, maxElementText);
    yield { ...element, text: rest.slice(0, end) };
    rest = rest.slice(end);
  }
}

export async function* withinTextLimit(
  reading: AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>>,
  limits: ReadLimits,
): AsyncGenerator<Element, Either<ReadFailure, DocumentFacts>> {
  const exceeded = fail('TOO_LARGE', `The document holds more than ${limits.textBytes} bytes of text.`);
  let textBytes = 0;
  try {
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) {
      textBytes += Buffer.byteLength(step.value.text);
      if (textBytes > limits.textBytes) return exceeded;
      yield* pieces(step.value);
    }
    return step.value;
  } finally {
    await reading.return(exceeded);
  }
}
