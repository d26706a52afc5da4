/** As vectors of a service are recorded: a model may make them in several lengths. */
export const serviceModel = (model: string, dimensions: number): string => `${model}-${dimensions}`;
