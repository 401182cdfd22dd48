import { linkTo } from '../route.ts';

/** Colours as a bar of their shares, each a link to a search. */
export function Swatches({ colors }: { colors: readonly string[] }) {
  return (
    <ul class="swatches" aria-label="Colours">
      {colors.map((color) => {
        const [rgb, share] = color.split('@') as [string, string];
        return (
          <li key={color} style={{ flexGrow: Number(share) }}>
            <a href={linkTo('search', { colors: color })} title={`#${rgb}, ${share} %`}>
              <span class="swatch" style={{ background: `#${rgb}` }} />
              <span class="hidden">Search for </span>
              <code>{rgb}</code> <small>{share} %</small>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
