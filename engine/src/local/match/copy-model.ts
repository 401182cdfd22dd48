/**
 * A logistic regression of the features and of their products, in hundredths, which training/src/decision.ts learns. Its sum is the
 * logarithm of the odds of a copy, so no exponential is needed. The first row is the constant. The next ones have a weight for the
 * feature, and for its product with each feature up to itself.
 */
const WEIGHTS: readonly (readonly number[])[] = [
  [-429],
  [109, 167],
  [1264, 1071, -2207],
  [826, 282, -217, -292],
  [-593, 219, 512, -433, 694],
  [182, -16, -801, 81, 618, -287],
  [-238, 21, -318, 505, 406, 85, -62],
  [-18, 168, 877, -62, 620, 1151, -122, 7],
  [-479, -169, -705, -332, 546, -504, -274, 401, 539],
  [-13, 1, 656, -492, -910, 128, 90, -124, 547, 293],
  [15, -42, 238, -839, -503, -534, 315, -3164, 908, 1768, 68],
  [-71, 67, 679, 19, 81, -229, -228, 112, 3, -91, 1168, -93],
  [-158, -353, -222, -328, 880, 501, 543, -331, 373, 1168, -326, -689, -402],
  [-212, -129, 1247, -94, 66, -108, -57, 297, 40, -246, -647, -54, -627, 68],
  [12, 22, 693, -1157, -230, 62, -685, 4068, -200, -610, 305, -789, 70, -88, 409],
  [296, 342, 1644, -629, -778, 749, 878, 136, -546, -350, 446, -277, -1361, -405, -605, 89],
  [-14, -239, 472, 435, -1105, 758, 64, -1061, 10, 835, 251, 351, 172, 375, 803, -2214, -706],
  [-343, 230, 93, -212, -557, 185, -307, -30, 139, -142, -515, 14, 425, 276, -485, -192, -135, 365],
  [-194, -19, -1081, -681, -44, 190, 87, -77, 316, 162, -10, -70, -159, 74, 2305, 142, -70, -28, 672],
];

/**
 * Whether what two pictures share is a picture or a part of one, and not a frame, a design or a pose.
 * @param features  in the order of `copyFeatureNames`
 */
export function isCopy(features: readonly number[]): boolean {
  const values = [1, ...features];
  let logOdds = 0;
  for (const [i, row] of WEIGHTS.entries())
    for (const [j, weight] of row.entries()) logOdds += weight * values[i] * values[j];
  return logOdds >= 0;
}
