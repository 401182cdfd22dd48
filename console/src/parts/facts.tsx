/** One without a value is left out. */
export type Fact = readonly [name: string, value: string | number | null | undefined, best?: boolean];

/** Names with their values. */
export function Facts({ kind, facts }: { kind?: string; facts: readonly Fact[] }) {
  return (
    <dl class={kind}>
      {facts.map(
        ([name, value, best]) =>
          value && (
            <div key={name} class={best ? 'is-best' : ''}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
