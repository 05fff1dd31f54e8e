internal import Tracking

/// A stretch of a track at one place, as somebody finds it who has the whole track before them.
public struct Stay: Hashable, Sendable {
    /// Since the track's first sample.
    public var from: Duration
    public var through: Duration

    /// What counts as one.
    public struct Definition: Hashable, Sendable {
        /// Metres around the middle.
        public var radius: Double
        public var length: Duration
        /// Of the time, how much must have been spent there; 0…1.
        public var share: Double

        /// Nobody doubts it: any two positions lie within 50 m of each other, all the time.
        public static let certain = Definition(radius: 25, length: .seconds(300), share: 1)
        /// What somebody may call a stay who is generous. Where there is none, nobody stayed.
        public static let possible = Definition(radius: 60, length: .seconds(295), share: 0.9)

        public init(radius: Double, length: Duration, share: Double) {
            self.radius = radius
            self.length = length
            self.share = share
        }
    }
}

extension Track {
    /// The stretches in which somebody stayed, found without the rules and in another way: a
    /// window runs over the track, and where its positions lie close enough around their own
    /// middle (the median, each weighed by its time), it belongs to a stay. A gap counts as stay
    /// where it ends near where it began.
    public func stays(_ definition: Stay.Definition) -> [Stay] {
        var stays: [Stay] = []
        var end = 0
        for start in samples.indices {
            while end < samples.count,
                samples[end].offset - samples[start].offset < definition.length
            { end += 1 }
            guard end < samples.count else { break }
            guard isStay(start...end, definition) else { continue }
            let (from, through) = (samples[start].offset, samples[end].offset)
            if let last = stays.last, from <= last.through {
                stays[stays.count - 1].through = max(last.through, through)
            } else {
                stays.append(Stay(from: from, through: through))
            }
        }
        return stays
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

    /// Of an even split, what lies halfway between the two.
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
