/// What was measured, in words: "heartRate 150" of an incident is "heart rate 150".

import { t } from "./language.js";

export const MEASURED = {
    heartRate: t("heart rate"), oxygenSaturation: t("oxygen saturation"), respiratoryRate: t("breaths"),
    systolicPressure: t("blood pressure"), bodyTemperature: t("temperature"),
    consciousness: t("consciousness"),
};

export const vitalsReason = (reason) =>
    reason.replace(/^\w+/, (name) => MEASURED[name] ?? name);
