internal import Tracking

/// A stretch of a track at one place, found with knowledge of the whole track.
public struct Stay: Hashable, Sendable {
    /// The time since the track's first sample.
    public var from: Duration
    public var through: Duration

    /// The criteria for a stay.
    public struct Definition: Hashable, Sendable {
        /// The radius around the middle, in metres.
        public var radius: Double
        public var length: Duration
        /// The fraction of the time that must be spent within the radius; 0…1.
        public var share: Double

        /// Whether a pause of the recorder counts as part of a stay if it ends near where it began.
        public var hasPauses: Bool

        /// An undoubted stay: any two positions are within 50 m of each other, all the time.
        public static let certain = Definition(
            radius: 25, length: .seconds(300), share: 1, hasPauses: false)
        /// A stay by a generous definition. If there is none of these, no one stayed.
        public static let possible = Definition(
            radius: 60, length: .seconds(295), share: 0.9, hasPauses: true)

        public init(radius: Double, length: Duration, share: Double, hasPauses: Bool) {
            self.radius = radius
            self.length = length
            self.share = share
            self.hasPauses = hasPauses
        }
    }
}

extension Track {
    /// Finds stays independently of the tracker's rules and by another method: a window runs over
    /// the track, and if its positions are close enough to their own middle (the median, weighted
    /// by time), it belongs to a stay.
    public func stays(_ definition: Stay.Definition) -> [Stay] {
        var stays: [Stay] = []
        var end = 0
        let pauses = definition.hasPauses ? [] : endsOfPauses
        for start in samples.indices {
            while end < samples.count,
                samples[end].offset - samples[start].offset < definition.length
            { end += 1 }
            guard end < samples.count else { break }
            guard isStay(start...end, definition),
                !pauses.contains(where: { start < $0 && $0 <= end })
            else { continue }
            let (from, through) = (samples[start].offset, samples[end].offset)
            if let last = stays.last, from <= last.through {
                stays[stays.count - 1].through = max(last.through, through)
            } else {
                stays.append(Stay(from: from, through: through))
            }
        }
        return stays
    }

    private var endsOfPauses: [Int] {
        guard let gapThreshold else { return [] }
        return samples.indices.dropFirst().filter {
            samples[$0].offset - samples[$0 - 1].offset > gapThreshold
        }
    }

    private func isStay(_ range: ClosedRange<Int>, _ definition: Stay.Definition) -> Bool {
        let plane = LocalPlane(origin: samples[range.lowerBound].coordinate)
        let places = range.map { plane.vector(to: samples[$0].coordinate) }
        let weights = range.map { index in
            let next = samples[min(index + 1, range.upperBound)].offset
            let previous = samples[max(index - 1, range.lowerBound)].offset
            return (next - previous).inSeconds / 2
        }
        let middle = Vector(
            east: Self.median(places.map(\.east), weights),
            north: Self.median(places.map(\.north), weights))
        let outside = zip(places, weights).filter {
            ($0.0 - middle).length > definition.radius
        }
        let missing = outside.map(\.1).reduce(0, +) / weights.reduce(0, +)
        return missing <= 1 - definition.share + 1e-9
    }

    /// The weighted median; if the weights split evenly, the mean of the two values in the middle.
    private static func median(_ values: [Double], _ weights: [Double]) -> Double {
        let sorted = zip(values, weights).sorted { $0.0 < $1.0 }
        let half = weights.reduce(0, +) / 2
        var passed = 0.0
        for (index, (value, weight)) in sorted.enumerated() {
            passed += weight
            if abs(passed - half) < 1e-9, index + 1 < sorted.count {
                return (value + sorted[index + 1].0) / 2
            }
            if passed > half { return value }
        }
        return sorted[sorted.count - 1].0
    }
}
