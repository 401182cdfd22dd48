import { useKeptPicture } from '../../intake/kept-pictures.ts';
import { ago, count } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { useStore } from '../../parts/store.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { useApplication } from '../../session.ts';
import { recentSearches, type RecentSearch } from '../search/recent-searches.ts';

/** The last searches of this browser; each opens again. */
export function RecentSearches() {
  const { name, traits } = useApplication();
  const searches = useStore(recentSearches)[name] ?? [];
  if (!traits.references) return null;
  return (
    <section class="surface" aria-labelledby="recent">
      <h2 id="recent">Recent searches</h2>
      {searches.length === 0 ? (
        <p class="soft">Your searches of this browser are listed here until you sign out.</p>
      ) : (
        <ul class="tiles recent">
          {searches.map((search) => (
            <li key={search.to}>
              <a class="line" href={search.to}>
                <span class="picture small">
                  <Start {...search} />
                </span>
                <span class="card-text">
                  <span class="one-line">{search.label}</span>
                  <small>
                    {count(search.found, 'picture')} · {ago(search.at)}
                  </small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Start({ picture = '', reference }: RecentSearch) {
  const file = useKeptPicture(picture);
  const url = useObjectUrl(file ?? undefined);
  if (reference) return <Thumbnail id={reference} />;
  return url ? <img src={url} alt="" /> : <Icon name="search" />;
}
