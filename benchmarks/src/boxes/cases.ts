import { rasterOf, sharpOf, toned, type Raster } from '@sosia/testing/pictures/raster';
import { blurred, covered, glaring, inTheDark, type Condition } from '@sosia/testing/pictures/conditions';

/** A kind of scene: what is planted in it, and what happens to the scene. */
export interface Case {
  readonly title: string;
  readonly type: 'mobile-matching' | 'brand-monitoring';
  /** Share of the scene that each place covers. */
  readonly share: number;
  /** Degrees that a picture is rotated away from the camera; 10 if left out. */
  readonly tilt?: number;
  /** Degrees that a picture is rotated about the line of sight. */
  readonly angle?: number;
  readonly mirrored?: boolean;
  readonly change?: (picture: Raster) => Raster | Promise<Raster>;
  readonly condition?: Condition;
  /** Places of each reference; 1 if left out. */
  readonly instances?: number;
  /** Different references in a scene; 1 if left out. */
  readonly references?: number;
}

const flopped = { mirrored: true, change: (picture: Raster) => rasterOf(sharpOf(picture).flop()) };
const inverted = { change: (picture: Raster) => toned(picture, (value) => 255 - value) };

const covers: readonly Omit<Case, 'type'>[] = [
  ...[0, 15, 30, 45, 60].map((tilt) => ({ title: `tilted ${tilt}°`, share: 0.3, tilt })),
  ...[1.5, 3, 4.5].map((sigma) => ({ title: `blurred by ${sigma} px`, share: 0.3, condition: blurred(sigma) })),
  { title: 'low light', share: 0.3, condition: inTheDark },
  { title: 'glare over half of it', share: 0.3, condition: glaring(0.5) },
  { title: 'glare over all of it', share: 0.3, condition: glaring(1) },
  ...[30, 50, 70].map((part) => ({ title: `${part} % covered`, share: 0.3, condition: covered(part / 100) })),
  { title: 'mirrored', share: 0.3, ...flopped },
  { title: 'upside down', share: 0.3, angle: 180 },
  { title: 'colours inverted', share: 0.3, ...inverted },
  { title: 'two of them', share: 0.2, references: 2 },
];

const logos: readonly Omit<Case, 'type'>[] = [
  ...[3, 5, 8, 15].map((part) => ({ title: `${part} % of the scene`, share: part / 100 })),
  ...[30, 45, 60].map((tilt) => ({ title: `tilted ${tilt}°`, share: 0.08, tilt })),
  { title: 'blurred by 1.5 px', share: 0.08, condition: blurred(1.5) },
  { title: 'low light', share: 0.08, condition: inTheDark },
  { title: 'glare over half of it', share: 0.08, condition: glaring(0.5) },
  { title: '30 % covered', share: 0.08, condition: covered(0.3) },
  { title: 'mirrored', share: 0.08, ...flopped },
  { title: 'upside down', share: 0.08, angle: 180 },
  { title: 'colours inverted', share: 0.08, ...inverted },
  { title: 'three times', share: 0.06, instances: 3 },
  { title: 'nine times', share: 0.06, instances: 9 },
  { title: 'four of them', share: 0.06, references: 4 },
];

export const cases: readonly Case[] = [
  ...covers.map((each) => ({ ...each, title: `cover, ${each.title}`, type: 'mobile-matching' as const })),
  ...logos.map((each) => ({ ...each, title: `logo, ${each.title}`, type: 'brand-monitoring' as const })),
];
