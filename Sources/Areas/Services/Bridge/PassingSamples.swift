import Contract
import Numbers
import Tracking

/// A person's stored samples that wait to be passed on to services: a few, since services can also
/// read them from the store. The overflow is thinned out.
struct PassingSamples {
    fileprivate struct Sample {
        let data: SharedData
        let payload: [UInt8]
        let takenAt: Timestamp
    }

    /// Oldest first.
    private var samples: [Sample] = []
    /// The number left out since the last message.
    private var thinned = 0

    /// The maximum number that wait.
    static let most = 200

    var isEmpty: Bool { samples.isEmpty }

    mutating func append(_ payload: [UInt8], _ data: SharedData, takenAt time: Timestamp) {
        if samples.count >= PassingSamples.most { thin() }
        samples.append(Sample(data: data, payload: payload, takenAt: time))
    }

    /// Removes samples that the person has deleted.
    ///
    /// - Parameters:
    ///   - from: nil for the beginning.
    ///   - to: nil for the end.
    mutating func remove(_ data: SharedData, from: Timestamp?, to: Timestamp?) {
        samples.removeAll { sample in
            data.contains(sample.data) && from.map { $0 <= sample.takenAt } ?? true
                && to.map { sample.takenAt < $0 } ?? true
        }
    }

    /// Removes every other sample, keeping the newest.
    private mutating func thin() {
        let before = samples.count
        samples = samples.enumerated().filter { (before - 1 - $0.offset) % 2 == 0 }.map(\.element)
        thinned += before - samples.count
    }

    /// Takes samples that fit into one message for a service.
    ///
    /// - Parameters:
    ///   - size: in bytes; at least one sample is taken, however long.
    ///   - isLate: whether to thin out until all remaining samples fit.
    mutating func take(fitting size: Int, isLate: Bool) -> Part {
        while isLate, samples.count > 1, samples.reduce(0, { $0 + $1.payload.count + 1 }) > size {
            thin()
        }
        var (taken, length) = (0, 0)
        for sample in samples {
            length += sample.payload.count + 1
            guard taken == 0 || length <= size else { break }
            taken += 1
        }
        defer {
            samples.removeFirst(taken)
            thinned = 0
        }
        return Part(samples: Array(samples.prefix(taken)), thinned: thinned)
    }

    /// The samples passed on together.
    struct Part {
        fileprivate let samples: [Sample]
        let thinned: Int

        func count(of data: SharedData) -> Int { samples.count { data.contains($0.data) } }

        /// Returns what it contains of that data; nil if nothing.
        func seen(of data: SharedData) -> AccessEntry.Seen? {
            samples.filter { data.contains($0.data) }.reduce(nil) { all, sample in
                let seen = AccessEntry.Seen(sample.data, at: sample.takenAt)
                guard var all else { return seen }
                all.add(seen)
                return all
            }
        }

        /// Returns a sample, or an array of them; nil if there are none of that data. The first
        /// states how many samples, of any data, were left out before it.
        func payload(of data: SharedData) -> [UInt8]? {
            var payloads = samples.filter { data.contains($0.data) }.map(\.payload)
            guard let first = payloads.first else { return nil }
            if thinned > 0 {
                payloads[0] = Array("{\"thinned\":\(thinned),".utf8) + first.dropFirst()
            }
            guard payloads.count > 1 else { return payloads[0] }
            return [UInt8(ascii: "[")] + payloads.joined(separator: [UInt8(ascii: ",")])
                + [UInt8(ascii: "]")]
        }
    }
}
