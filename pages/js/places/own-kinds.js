/// What places of people are.

export const KINDS = { home: "Home", school: "School", work: "Work", other: "Other" };
