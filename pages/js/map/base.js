import * as L from "/leaflet/leaflet.esm.js";

export function makeMap(element) {
    return L.map(element).setView([45.4642, 9.19], 13);
}
