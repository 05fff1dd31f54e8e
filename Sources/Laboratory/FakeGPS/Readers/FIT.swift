internal import Numbers
internal import Tracking

/// FIT (Flexible and Interoperable Data Transfer, Garmin), as sports watches and bicycle computers
/// write it: the positions in messages of the kind *record*. A truncated file is read as far as it
/// goes.
struct FIT {
    private(set) var readings: [Reading] = []

    private struct Field {
        let number: UInt8
        let size: Int
    }

    /// The fields in messages of a local type.
    private struct Definition {
        let message: Int
        let isBigEndian: Bool
        let fields: [Field]
        /// The number of bytes in developer fields.
        let added: Int

        var size: Int { fields.reduce(added) { $0 + $1.size } }
    }

    private var definitions: [UInt8: Definition] = [:]
    /// The last full timestamp, in seconds since the format's epoch.
    private var timestamp: UInt32?

    /// Returns whether the bytes begin like such a file.
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 12 && bytes[8..<12].elementsEqual(".FIT".utf8)
    }

    init(_ bytes: [UInt8]) throws(TrackError) {
        var rest = bytes[...]
        // Several files may follow each other.
        while FIT.recognizes(Array(rest.prefix(12))) {
            let header = Int(rest[rest.startIndex])
            guard header >= 12 else { throw TrackError(.malformed("a header is too short")) }
            let size = Int(FIT.number(rest.dropFirst(4).prefix(4), isBigEndian: false))
            definitions = [:]
            try read(rest.dropFirst(header).prefix(size))
            rest = rest.dropFirst(header + size + FIT.checksumSize)
        }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(TrackError) {
        var rest = bytes
        while let header = rest.popFirst() {
            let isCompressed = header & 0x80 != 0
            if !isCompressed, header & 0x40 != 0 {
                guard let definition = FIT.definition(header, &rest) else { return }
                definitions[header & 0x0F] = definition
                continue
            }
            let local = isCompressed ? header >> 5 & 0x03 : header & 0x0F
            guard let definition = definitions[local] else {
                throw TrackError(.malformed("a message has no definition"))
            }
            guard rest.count >= definition.size else { return }
            let offset = isCompressed ? UInt32(header & 0x1F) : nil
            readMessage(rest.prefix(definition.size), definition, offset)
            rest = rest.dropFirst(definition.size)
        }
    }

    /// - Returns: nil if the file ends in the middle of it.
    private static func definition(_ header: UInt8, _ rest: inout ArraySlice<UInt8>) -> Definition?
    {
        guard rest.count >= 5 else { return nil }
        let start = rest.startIndex
        let isBigEndian = rest[start + 1] == 1
        let message = Int(number(rest[(start + 2)..<(start + 4)], isBigEndian: isBigEndian))
        let count = Int(rest[start + 4])
        rest = rest.dropFirst(5)
        guard let fields = fields(count, &rest) else { return nil }
        var added = 0
        if header & 0x20 != 0 {
            guard let count = rest.popFirst(), let developers = self.fields(Int(count), &rest)
            else {
                return nil
            }
            added = developers.reduce(0) { $0 + $1.size }
        }
        return Definition(message: message, isBigEndian: isBigEndian, fields: fields, added: added)
    }

    private static func fields(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [Field]? {
        guard rest.count >= count * 3 else { return nil }
        let bytes = Array(rest.prefix(count * 3))
        rest = rest.dropFirst(count * 3)
        return (0..<count).map { Field(number: bytes[$0 * 3], size: Int(bytes[$0 * 3 + 1])) }
    }

    /// - Parameter offset: the last five bits of a compressed time.
    private mutating func readMessage(
        _ bytes: ArraySlice<UInt8>, _ definition: Definition, _ offset: UInt32?
    ) {
        var (values, rest) = ([UInt8: UInt32](), bytes)
        for field in definition.fields {
            let content = rest.prefix(field.size)
            rest = rest.dropFirst(field.size)
            guard [1, 2, 4].contains(field.size) else { continue }
            let value = FIT.number(content, isBigEndian: definition.isBigEndian)
            // An unknown value has all bits set; a signed one, all but the first.
            guard value != FIT.unknown[field.size] else { continue }
            values[field.number] = value
        }
        if let time = values[FIT.time] {
            timestamp = time
        } else if let offset, let known = timestamp {
            let steps = (offset &- known) & 0x1F
            timestamp = known &+ steps
        }
        guard definition.message == FIT.record, let reading = reading(values) else { return }
        readings.append(reading)
    }

    private func reading(_ values: [UInt8: UInt32]) -> Reading? {
        guard let latitude = FIT.degrees(values[0]), let longitude = FIT.degrees(values[1]),
            let place = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let altitude = (values[78] ?? values[2]).map { Double($0) / 5 - 500 }
        let speed = (values[73] ?? values[6]).map { Double($0) / 1_000 }
        var reading = Reading(place, at: timestamp.map(FIT.date), altitude: altitude, speed: speed)
        reading.accuracy = values[31].map { Double($0) }
        return reading
    }

    // MARK: Numbers

    private static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> UInt32 {
        let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Converts semicircles: 2^31 are 180 degrees.
    private static func degrees(_ value: UInt32?) -> Double? {
        guard let value, value != 0x7FFF_FFFF else { return nil }
        return Double(Int32(bitPattern: value)) * 180 / 2_147_483_648
    }

    private static func date(_ seconds: UInt32) -> Timestamp {
        Timestamp(milliseconds: (epoch + Int64(seconds)) * 1_000)
    }

    /// The 31st of December 1989, in seconds since 1970.
    private static let epoch: Int64 = 631_065_600
    private static let checksumSize = 2
    private static let unknown: [Int: UInt32] = [1: 0xFF, 2: 0xFFFF, 4: 0xFFFF_FFFF]
    /// The number of the message kind, and of the time field in every kind.
    private static let record = 20
    private static let time: UInt8 = 253
}
