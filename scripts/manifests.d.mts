export function renderChart(helm: string, args?: readonly string[]): Promise<string>;
