/// QR codes (ISO/IEC 18004): bytes, error correction level M, versions 1 to 10.

/// Of each version: the codewords for error correction in a block, and the number of blocks.
const CORRECTION = [
    [10, 1], [16, 1], [26, 1], [18, 2], [24, 2], [16, 4], [18, 4], [22, 4], [22, 5], [26, 5],
];
/// All codewords of each version.
const CODEWORDS = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
/// The centres of the alignment patterns of each version.
const ALIGNMENT = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46],
    [6, 28, 50],
];
const MASKS = [
    (x, y) => (x + y) % 2 === 0,
    (x, y) => y % 2 === 0,
    (x) => x % 3 === 0,
    (x, y) => (x + y) % 3 === 0,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
    (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
    (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/// Returns the rows of the code from top to bottom, with true for dark; null if the text is too
/// long (213 bytes). `mask`: one of the eight, for tests; otherwise the best.
export function qrCode(text, mask) {
    const bytes = new TextEncoder().encode(text);
    const version = CODEWORDS.findIndex((_, index) => bytes.length <= capacity(index + 1)) + 1;
    if (version === 0) return null;
    const words = interleave(dataWords(bytes, version), version);
    const choices = mask === undefined ? MASKS.map((_, index) => index) : [mask];
    let best = null;
    for (const choice of choices) {
        const rows = draw(words, version, choice);
        const penalty = choices.length > 1 ? penaltyOf(rows) : 0;
        if (!best || penalty < best.penalty) best = { rows, penalty };
    }
    return best.rows;
}

// MARK: Data

function dataCount(version) {
    const [words, blocks] = CORRECTION[version - 1];
    return CODEWORDS[version - 1] - words * blocks;
}

/// Without mode and length.
function capacity(version) {
    return dataCount(version) - (version < 10 ? 2 : 3);
}

function dataWords(bytes, version) {
    const bits = [];
    const put = (value, count) => {
        for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >> bit) & 1);
    };
    put(4, 4);
    put(bytes.length, version < 10 ? 8 : 16);
    for (const byte of bytes) put(byte, 8);
    const count = dataCount(version);
    put(0, Math.min(4, count * 8 - bits.length));
    while (bits.length % 8 !== 0) bits.push(0);
    const words = [];
    for (let at = 0; at < bits.length; at += 8) {
        words.push(bits.slice(at, at + 8).reduce((word, bit) => word * 2 + bit, 0));
    }
    for (let filler = 0xec; words.length < count; filler ^= 0xec ^ 0x11) words.push(filler);
    return words;
}

/// Divides the words into blocks, adds the error correction, and takes a word of each in turn.
function interleave(words, version) {
    const [count, blocks] = CORRECTION[version - 1];
    const short = Math.floor(words.length / blocks);
    const long = words.length % blocks;
    const generator = generatorOf(count);
    const data = [];
    const correction = [];
    let at = 0;
    for (let block = 0; block < blocks; block += 1) {
        const end = at + short + (block >= blocks - long ? 1 : 0);
        data.push(words.slice(at, end));
        correction.push(remainder(words.slice(at, end), generator));
        at = end;
    }
    const all = [];
    for (let index = 0; index <= short; index += 1) {
        for (const block of data) if (index < block.length) all.push(block[index]);
    }
    for (let index = 0; index < count; index += 1) {
        for (const block of correction) all.push(block[index]);
    }
    return all;
}

// MARK: Reed–Solomon, over the field of 256 with the polynomial 0x11d

function times(left, right) {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
        product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
        if ((right >> bit) & 1) product ^= left;
    }
    return product;
}

/// The coefficients after the first, which is 1.
function generatorOf(degree) {
    let factors = [1];
    let root = 1;
    for (let index = 0; index < degree; index += 1) {
        const next = [...factors, 0];
        factors.forEach((factor, at) => { next[at + 1] ^= times(factor, root); });
        factors = next;
        root = times(root, 2);
    }
    return factors.slice(1);
}

function remainder(words, generator) {
    const rest = generator.map(() => 0);
    for (const word of words) {
        const factor = word ^ rest.shift();
        rest.push(0);
        generator.forEach((coefficient, index) => { rest[index] ^= times(coefficient, factor); });
    }
    return rest;
}

// MARK: Drawing

function draw(words, version, mask) {
    const size = version * 4 + 17;
    const rows = Array.from({ length: size }, () => new Array(size).fill(null));
    const set = (x, y, isDark) => { rows[y][x] = isDark; };
    drawPatterns(rows, version, set);
    drawFormat(size, mask, set);
    if (version >= 7) drawVersion(size, version, set);
    drawWords(rows, words, MASKS[mask]);
    return rows;
}

function drawPatterns(rows, version, set) {
    const size = rows.length;
    for (let at = 0; at < size; at += 1) {
        set(6, at, at % 2 === 0);
        set(at, 6, at % 2 === 0);
    }
    for (const [left, top] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
        for (let y = -4; y <= 4; y += 1) {
            for (let x = -4; x <= 4; x += 1) {
                if (rows[top + y]?.[left + x] === undefined) continue;
                const ring = Math.max(Math.abs(x), Math.abs(y));
                set(left + x, top + y, ring !== 2 && ring !== 4);
            }
        }
    }
    const centres = ALIGNMENT[version - 1];
    const last = centres.length - 1;
    for (const [row, top] of centres.entries()) {
        for (const [column, left] of centres.entries()) {
            const isCorner = (row === 0 && (column === 0 || column === last))
                || (row === last && column === 0);
            if (isCorner) continue;
            for (let y = -2; y <= 2; y += 1) {
                for (let x = -2; x <= 2; x += 1) {
                    set(left + x, top + y, Math.max(Math.abs(x), Math.abs(y)) !== 1);
                }
            }
        }
    }
}

function drawFormat(size, mask, set) {
    // Level M is 0.
    let rest = mask;
    for (let index = 0; index < 10; index += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (index) => ((bits >> index) & 1) === 1;
    for (let index = 0; index <= 5; index += 1) set(8, index, bit(index));
    set(8, 7, bit(6));
    set(8, 8, bit(7));
    set(7, 8, bit(8));
    for (let index = 9; index < 15; index += 1) set(14 - index, 8, bit(index));
    for (let index = 0; index < 8; index += 1) set(size - 1 - index, 8, bit(index));
    for (let index = 8; index < 15; index += 1) set(8, size - 15 + index, bit(index));
    set(8, size - 8, true);
}

function drawVersion(size, version, set) {
    let rest = version;
    for (let index = 0; index < 12; index += 1) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let index = 0; index < 18; index += 1) {
        const isDark = ((bits >> index) & 1) === 1;
        const far = size - 11 + (index % 3);
        const near = Math.floor(index / 3);
        set(far, near, isDark);
        set(near, far, isDark);
    }
}

/// Fills what is left, in columns of two from the right, upwards and downwards in turn.
function drawWords(rows, words, mask) {
    const size = rows.length;
    let index = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            const isUpwards = ((right + 1) & 2) === 0;
            const y = isUpwards ? size - 1 - step : step;
            for (const x of [right, right - 1]) {
                if (rows[y][x] !== null) continue;
                const bit = (words[index >> 3] >> (7 - (index & 7))) & 1;
                rows[y][x] = (bit === 1) !== mask(x, y);
                index += 1;
            }
        }
    }
}

// MARK: The best mask

const FINDERS = ["10111010000", "00001011101"];

/// The penalty: lower is easier to read (7.8.3).
function penaltyOf(rows) {
    const size = rows.length;
    const columns = rows.map((_, x) => rows.map((row) => row[x]));
    let penalty = 0;
    for (const line of [...rows, ...columns]) {
        const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
        for (const run of text.match(/0{5,}|1{5,}/g) ?? []) penalty += run.length - 2;
        for (const finder of FINDERS) {
            for (let at = text.indexOf(finder); at >= 0; at = text.indexOf(finder, at + 1)) {
                penalty += 40;
            }
        }
    }
    let dark = 0;
    for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) {
            if (rows[y][x]) dark += 1;
            if (x + 1 < size && y + 1 < size && rows[y][x] === rows[y][x + 1]
                && rows[y][x] === rows[y + 1][x] && rows[y][x] === rows[y + 1][x + 1]) penalty += 3;
        }
    }
    const share = (dark * 20) / (size * size);
    return penalty + Math.max(0, Math.ceil(Math.abs(share - 10)) - 1) * 10;
}
