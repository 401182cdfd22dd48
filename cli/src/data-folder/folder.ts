import { existsSync } from 'node:fs';
import type { Damage, Verification } from '@sosia/server';
import { counted, visible } from '../terminal/output.ts';

/** Reading must not create a folder with a mistyped name. */
export function existing(folder: string, flag = '--data'): string {
  if (existsSync(folder)) return folder;
  throw new Error(`there is no data folder ${folder}; ${flag} names another one`);
}

/** One damage in a line, for people. */
export function damageLine({ file, application, number, numbers, id, what }: Damage): string {
  const where = [
    application !== undefined && `application ${application}`,
    number !== undefined && `picture ${number}`,
    numbers && `numbers ${numbers.from} to ${numbers.to}`,
    id !== undefined && `(${id})`,
  ];
  return visible(`${[file, ...where].filter(Boolean).join(' ')}: ${what}`);
}

/** The sound records. */
export function soundness({ applications, images }: Pick<Verification, 'applications' | 'images'>): string {
  return `${counted(applications, 'application')} and ${counted(images, 'picture')} are sound`;
}
