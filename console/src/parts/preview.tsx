import { useState } from 'preact/hooks';
import { useObjectUrl } from './object-url.ts';

/** A picture file as this browser shows it; its name if the browser cannot (HEIC, TIFF), though the service can. */
export function Preview({ file, what }: { file: File; what: string }) {
  const url = useObjectUrl(file);
  const [failed, setFailed] = useState<string>();
  if (!url) return null;
  if (failed === url) return <p>{file.name}, which this browser cannot show</p>;
  return <img class="query-picture" src={url} alt={`${what}, ${file.name}`} onError={() => setFailed(url)} />;
}
