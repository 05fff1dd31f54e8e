/// Two synthesised sounds; the one for help cannot be mistaken for the other.

import { readStored, writeStored } from "./storage.js";

const KEY = "kith.sound";
let context = null;

/// Browsers let a page play sound only after the person has touched it.
export function unlockSound() {
    if (!context) {
        const Context = window.AudioContext ?? window.webkitAudioContext;
        if (!Context) return;
        context = new Context();
    }
    if (context.state === "suspended") context.resume().catch(() => {});
}

export const sound = {
    get isOn() { return readStored(KEY) !== "off"; },
    set isOn(value) { writeStored(KEY, value ? "on" : "off"); },
    get isReady() { return context?.state === "running"; },

    /// Two soft notes.
    alert() {
        if (!this.isOn || !this.isReady) return;
        tone({ type: "sine", from: 660, at: 0, length: 0.18, volume: 0.16 });
        tone({ type: "sine", from: 880, at: 0.2, length: 0.3, volume: 0.16 });
    },

    /// A siren of three seconds.
    sos() {
        if (!this.isOn || !this.isReady) return;
        for (let n = 0; n < 5; n += 1) {
            tone({ type: "square", from: 720, to: 1180, at: n * 0.6, length: 0.5, volume: 0.3 });
        }
    },
};

function tone({ type, from, to, at, length, volume }) {
    const start = context.currentTime + 0.02 + at;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = type;
    oscillator.frequency.setValueAtTime(from, start);
    if (to) oscillator.frequency.linearRampToValueAtTime(to, start + length);
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(volume, start + 0.02);
    gain.gain.setValueAtTime(volume, start + length * 0.7);
    gain.gain.linearRampToValueAtTime(0, start + length);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start);
    oscillator.stop(start + length + 0.05);
}
