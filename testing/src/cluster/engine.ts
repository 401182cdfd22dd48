import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const parts = fileURLToPath(new URL('../../cluster/', import.meta.url));

/** File names and SHA-256 of all that is downloaded. @param folder  has them in the format of `sha256sum` */
const checksumsIn = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readFileSync(join(folder, 'checksums.sha256'), 'utf8')
      .trim()
      .split('\n')
      .map((line): [name: string, digest: string] => [line.slice(66), line.slice(0, 64)]),
  );

const checksums = checksumsIn(parts);

/** Such as opensearch-2.19.5: the folder in the archive, and in the cache. */
const release = [...checksums.keys()].find((name) => name.endsWith('.zip'))!.replace('.zip', '');

/** `lang-painless` as the engine loads a module; its jar has no descriptor. */
const moduleFiles = {
  'plugin-descriptor.properties': [
    'name=lang-painless',
    'description=Scripts in Painless',
    'classname=org.opensearch.painless.PainlessPlugin',
    `version=${release.replace('opensearch-', '')}`,
    `opensearch.version=${release.replace('opensearch-', '')}`,
    'java.version=11',
  ],
  'plugin-security.policy': [
    'grant {',
    '  permission java.lang.RuntimePermission "createClassLoader";',
    '  permission java.lang.RuntimePermission "getClassLoader";',
    '};',
  ],
};

/** The folder of the engine, which is there once it is installed. The nodes do not run as root, so that root's home is no place for it. */
export function engineFolder(): string {
  const cache = process.getuid?.() === 0 ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'));
  return join(cache, 'sosia', release);
}

export const engineInstalled = (): boolean => existsSync(engineFolder());

/** The folder of an engine with the security plugin, which is there once it is installed. */
export const securedEngineFolder = (): string => `${engineFolder()}-secured`;

export const securedEngineInstalled = (): boolean => existsSync(securedEngineFolder());

/**
 * Downloads the engine with Maven, whose settings name the registry, and compares every file with its checksum. Does
 * nothing where the engine is installed. Throws where no Java is there to run it.
 */
export function installEngine(): void {
  javaCommand();
  if (engineInstalled()) return;
  const cache = join(engineFolder(), '..');
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'install-'));
  try {
    const downloads = join(work, 'downloads');
    runMaven(parts, [`-Ddownloads=${downloads}`, `-Dunpacked=${work}`]);
    checkDownloads(downloads, checksums);
    const module = join(work, release, 'modules/lang-painless');
    mkdirSync(module);
    for (const name of checksums.keys())
      if (name.endsWith('.jar')) renameSync(join(downloads, name), join(module, name));
    for (const [name, lines] of Object.entries(moduleFiles)) writeFileSync(join(module, name), `${lines.join('\n')}\n`);
    renameSync(join(work, release), engineFolder());
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** As `installEngine`, with the security plugin in a second copy of the engine. */
export function installSecuredEngine(): void {
  installEngine();
  if (securedEngineInstalled()) return;
  const work = mkdtempSync(join(engineFolder(), '..', 'install-'));
  try {
    const [downloads, plugin, home] = ['downloads', 'plugin', 'home'].map((name) => join(work, name)) as Paths;
    const own = join(parts, 'security');
    runMaven(own, [`-Ddownloads=${downloads}`, `-Dunpacked=${plugin}`]);
    checkDownloads(downloads, checksumsIn(own));
    rmSync(join(plugin, 'markers'), { recursive: true });
    const descriptor = join(plugin, 'plugin-descriptor.properties');
    const version = `opensearch.version=${release.replace('opensearch-', '')}`;
    writeFileSync(descriptor, readFileSync(descriptor, 'utf8').replace(/^opensearch\.version=.*$/m, version));
    cpSync(engineFolder(), home, { recursive: true });
    renameSync(plugin, join(home, 'plugins/opensearch-security'));
    renameSync(home, securedEngineFolder());
  } finally {
    rmSync(work, { recursive: true });
  }
}

type Paths = [downloads: string, plugin: string, home: string];

/** Throws unless the folder holds exactly the files of the list, with these SHA-256. */
export function checkDownloads(folder: string, expected: ReadonlyMap<string, string>): void {
  const found = readdirSync(folder).sort();
  const names = [...expected.keys()].sort();
  if (found.join() !== names.join()) throw new Error(`expected the files ${names.join(', ')}, got ${found.join(', ')}`);
  for (const name of names) {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    if (digest !== expected.get(name))
      throw new Error(`${name}: expected SHA-256 ${expected.get(name)}, got ${digest}`);
  }
}

/** The classes of an engine as the JVM maps them into its memory, which saves a third of the processor time of a start. */
export const classArchive = (home: string): string => join(home, 'classes.jsa');

/** The command that starts a JVM; throws where there is none that runs this release. */
export function javaCommand(): string {
  const home = process.env.OPENSEARCH_JAVA_HOME ?? process.env.JAVA_HOME;
  const java = home ? join(home, 'bin/java') : 'java';
  const { stderr, error } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const version = error ? error.message : /version "(\d+)/.exec(stderr)?.[1];
  if (Number(version) >= 17 && Number(version) <= 21) return java;
  throw new Error(
    `OpenSearch needs Java 17 to 21 (Debian: openjdk-17-jre-headless), on the path or in JAVA_HOME; got ${java}: ${version}`,
  );
}

/** @param folder  has the pom */
function runMaven(folder: string, settings: readonly string[]): void {
  const words = ['--batch-mode', '--quiet', '--file', join(folder, 'pom.xml'), ...settings, 'process-resources'];
  const { status, error } = spawnSync('mvn', words, { stdio: ['ignore', process.stderr, process.stderr] });
  if (error) throw new Error(`OpenSearch is installed with Maven (Debian: maven): ${error.message}`);
  if (status !== 0) throw new Error(`Maven could not download OpenSearch: exit code ${status}`);
}
