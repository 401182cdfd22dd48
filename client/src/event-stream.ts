import type { Event } from './events.ts';
import { post, type Connection } from './wire.ts';

/**
 * The events behind one and those to come, as server-sent events, until the stream or its connection ends; none where the
 * service has no streams.
 */
export async function* streamedEvents(connection: Connection, after: number): AsyncGenerator<Event, void, undefined> {
  const lost = (cause: unknown): { done: true; value?: undefined } => {
    if (connection.signal?.aborted) throw cause;
    return { done: true };
  };
  const response = await post(connection, 'review', 'ListEvents', { after }, 'text/event-stream').catch(lost);
  if ('done' in response || !response.body) return;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let text = ''; ;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (data !== undefined) yield JSON.parse(data) as Event;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
