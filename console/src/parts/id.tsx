/** Characters that fit into a card, and of these the last ones, in which copies differ. */
const [FITTING, LAST] = [22, 12];

/** An id in one line; a long one is shortened in its middle. */
export function Id({ id }: { id: string }) {
  if (id.length <= FITTING) return <span class="card-id">{id}</span>;
  return (
    <span class="card-id" title={id}>
      <span class="hidden">{id}</span>
      <span class="one-line" aria-hidden="true">
        {id.slice(0, -LAST)}
      </span>
      <span aria-hidden="true">{id.slice(-LAST)}</span>
    </span>
  );
}
