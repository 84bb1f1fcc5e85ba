/** The object that a piece of the model came from, as people write it. */
export interface ObjectName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One rule of a route: what access logs, metrics and explanations name. */
export interface RouteRule extends ObjectName {
  /** Index of the rule in the route. */
  readonly rule: number;
  readonly ruleName?: string;
}
