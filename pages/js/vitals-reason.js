/// The reason in words: "heartRate far too high" of an incident becomes "heart rate far too high".

import { t } from "./language.js";

export const MEASURED = {
    heartRate: t("heart rate"), oxygenSaturation: t("oxygen saturation"), respiratoryRate: t("breathing rate"),
    systolicPressure: t("blood pressure"), bodyTemperature: t("temperature"),
    consciousness: t("consciousness"),
};

const FOUND = {
    "far too high": (measured) => t("{measured} far too high", { measured }),
    "far too low": (measured) => t("{measured} far too low", { measured }),
    "unusual": (measured) => t("{measured} unusual", { measured }),
};

export function vitalsReason(reason) {
    const [name, ...found] = reason.split(" ");
    const measured = MEASURED[name] ?? name;
    return FOUND[found.join(" ")]?.(measured) ?? [measured, ...found].join(" ");
}
