// The licences of the packages inside a package: one text.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './code.mjs';

/** @param folders  the folders of packages, below the root of the repository */
export function licenceTexts(folders) {
  const sections = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${textsOf(folder) || `Licensed under ${license}.`}`;
  });
  return `The folder lib/cli/dist/bundle contains these packages.\n\n${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function textsOf(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  return names.map((name) => readFileSync(join(root, folder, name), 'utf8').trim()).join('\n\n');
}
