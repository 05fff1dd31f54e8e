/// The kinds of personal places.

import { t } from "../language.js";

export const KINDS = { home: t("Home"), school: t("School"), work: t("Work"), other: t("Other") };
