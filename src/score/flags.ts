/** Why a score is missing or weaker than one with everything known; `docs/score.md` holds the same table. */
export const SCORE_FLAGS = {
  screening_estimate: 'The figures are a screening estimate, not a verified PEF study. Every score carries this flag.',
  no_composition: 'No score: the product has no composition.',
  category_without_parameters:
    'No score: the product category (or sub-category) has no default parameters, such as home textiles or footwear.',
  materials_without_factor: 'No score: materials without a usable factor make up more than 20 % of the mass.',
  materials_rescaled:
    'Materials without a usable factor, 20 % of the mass at most, were left out; the others were scaled up to 100 %.',
  subcategory_assumed: 'The product has no sub-category: the parameters of T-shirts stand in.',
  weight_estimated: 'The weight is not known but estimated (0.25 kg where nobody gave any).',
  country_unknown: 'The country of at least one step was not submitted: India stands in.',
  origin_unknown: 'At least one material has no country of origin: the general factor, and transport as from India.',
  grid_world_average: "A country has no electricity factor of its own: the world's average stands in.",
  distance_default: 'A way between two countries is not in the distance table: default distances stand in.',
  proxy_material: "A material has no factor of its own: a similar material's stands in.",
  uncertain_material:
    'Published factors of a material differ by more than a factor of 3: do not compare materials by this score.',
  sub_supplier_data: "Figures that the factory left out were taken from a sub-supplier's answer.",
} as const;

export type ScoreFlag = keyof typeof SCORE_FLAGS;

/** In the order of the table, so that the same score always lists them alike. */
export const inTableOrder = (flags: ReadonlySet<ScoreFlag>): readonly ScoreFlag[] =>
  (Object.keys(SCORE_FLAGS) as ScoreFlag[]).filter((flag) => flags.has(flag));
