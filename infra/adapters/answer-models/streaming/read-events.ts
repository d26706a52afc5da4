/** Reads server-sent events (WHATWG HTML, section 9.2) as model services send them: the data of each, in their order. */

/** Services send events of some hundred bytes. */
const maxEvent = 256 * 1024;

/** Throws where an event is longer than any of a model's. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let open = '';
  let data: string[] = [];
  let size = 0;
  for await (const chunk of body) {
    const lines = (open + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    open = lines.pop() ?? '';
    if (open.length > maxEvent) throw new Error('an event is too large');
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
        size = 0;
      } else if (line.startsWith('data:')) {
        data.push(line.slice(5).replace(/^ /, ''));
        size += line.length;
        if (size > maxEvent) throw new Error('an event is too large');
      }
    }
  }
}
