import FakeGPS
import Tracking

/// Files of recorded tracks.
enum Tracks {
    static func read(_ bytes: [UInt8]) throws {
        try check(bytes)
        // Sentences with wrong checksums are not read, and random input does not have correct ones.
        if bytes.first == UInt8(ascii: "$") { try check(repaired(bytes)) }
    }

    /// NMEA with corrected checksums.
    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.flatMap { line -> [UInt8] in
            let sentence = line.dropFirst().prefix { $0 != UInt8(ascii: "*") }
            let sum = String(sentence.reduce(0, ^), radix: 16, uppercase: true)
            let digits = sum.count == 1 ? "0\(sum)" : sum
            return [UInt8(ascii: "$")] + sentence + Array("*\(digits)\r\n".utf8)
        }
    }

    private static func check(_ bytes: [UInt8]) throws {
        let track: Track
        do {
            track = try Track(reading: bytes)
        } catch {
            return try expect(!error.description.isEmpty, "a refusal has a reason")
        }
        try expect(track.samples.first?.offset == .zero, "a track begins with its first sample")
        for (sample, next) in zip(track.samples, track.samples.dropFirst()) {
            try expect(sample.offset <= next.offset, "samples stand in the order of time")
        }
        for sample in track.samples {
            let numbers = [sample.altitude, sample.accuracy, sample.speed, sample.heading]
            try expect(numbers.allSatisfy { $0?.isFinite ?? true }, "numbers are finite")
        }
        do {
            let resampled = try track.resampled(every: .seconds(60))
            try expect(resampled.samples.count <= Track.maximumCount, "a track is bounded")
        } catch is TrackError {}
    }
}
