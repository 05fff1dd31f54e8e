/// Saves a point of the map as a place of mine or of a group.

import { LIMITS } from "../contract.js";
import { openDialog } from "../dialog.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { t } from "../language.js";
import { KINDS } from "../places/own-kinds.js";
import { loadOwn } from "../places/own-data.js";

/// - Parameter saved: called with the name and the address of the place.
export function openSavePlace(app, { latitude, longitude, name: known }, saved) {
    const groups = [...app.store.state.groups.values()];
    const name = makeField({
        name: "name", label: t("Name"), maxlength: LIMITS.name, autocomplete: "off", value: known ?? "",
    });
    const kind = makeChoice("kind", t("Kind"), Object.entries(KINDS));
    const group = makeChoice("group", t("Owner"), [
        ["", t("Only me")],
        ...groups.map((each) => [each.group, t("Group {group}", { group: each.name })]),
    ]);
    const form = makeForm({
        fields: [name, kind, ...(groups.length > 0 ? [group] : [])],
        button: t("Save place"),
        async submit(values) {
            const called = values.name.trim();
            if (!called) throw { errors: [{ field: "name", reason: t("Give it a name") }] };
            const { geofence } = await app.call("geofence.create", {
                name: called, kind: values.kind, radius: LIMITS.usualPlaceRadius, latitude, longitude,
                ...(values.group ? { group: values.group } : {}),
            });
            app.say(t("{name} is saved. Find it under Places, with reminders.", { name: called }), "good");
            close();
            saved({ name: called, link: `#places/own/${encodeURIComponent(geofence.geofence)}` });
            loadOwn(app.call).catch(() => {});
        },
    });
    const close = openDialog(t("Save place"), form);
    name.input.focus();
}
