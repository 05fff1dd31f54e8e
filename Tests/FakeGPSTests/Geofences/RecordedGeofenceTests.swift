import FakeGPS
import Foundation
import Testing
import Tracking

/// Arrivals and departures on real days, compared with an independent reading of the files: clear
/// stays on either side, by distances on a sphere. Only where the machine has the recordings.
struct RecordedGeofenceTests {
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../../../shared/data").standardized

    static let names = [
        "fleet-b-edge605.gpx", "fleet-b-etrex30x.gpx", "fleet-b-lezyne.gpx", "fleet-b-phone1.gpx",
        "fleet-b-phone2.gpx", "fleet-b-openlog.gpx", "hike-gaps-stops.gpx", "mixed-speed-gaps.gpx",
        "car-short.gpx", "run-pause-app1.gpx", "run-pause-watch.tcx", "run-glitch-a.gpx",
        "laps-standing.tcx", "regatta2023-boat1.gpx",
    ]

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path()) }

    private struct Event: Hashable {
        let crossing: GeofencePresence.Crossing
        /// Seconds since the track began.
        let at: Double
    }

    private func samples(_ name: String) throws -> [Track.Sample] {
        let data = try Data(contentsOf: RecordedGeofenceTests.folder.appending(path: name))
        return try Track(reading: Array(data)).samples
    }

    private func seconds(_ sample: Track.Sample) -> Double { sample.offset / .seconds(1) }

    /// The reported crossings.
    private func told(_ samples: [Track.Sample], _ fence: Geofence) -> [Event] {
        var (presence, events) = (GeofencePresence(), [Event]())
        let start = Timestamp(milliseconds: 1_777_593_600_000)
        func note(_ crossing: GeofencePresence.Crossing?) {
            guard let crossing, let since = presence.since else { return }
            events.append(Event(crossing: crossing, at: (since - start) / .seconds(1)))
        }
        for sample in samples {
            let time = start + sample.offset
            note(presence.settle(at: time))
            let fix = Fix(
                coordinate: sample.coordinate, takenAt: time, receivedAt: time,
                accuracy: sample.accuracy)
            note(presence.receive(fix, at: fence, Rules()))
        }
        note(presence.settle(at: start + .seconds(365 * 86_400)))
        return events
    }

    /// Metres on a sphere, on which they are at most 0.6 % wrong.
    private func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
        let radians = Double.pi / 180
        let (north, east) = (
            (b.latitude - a.latitude) * radians, (b.longitude - a.longitude) * radians
        )
        let h =
            pow(sin(north / 2), 2)
            + cos(a.latitude * radians) * cos(b.latitude * radians) * pow(sin(east / 2), 2)
        return 2 * 6_371_000 * asin(sqrt(h))
    }

    /// Stays of half a minute and three fixes or more, clearly on one side: what must be reported,
    /// in order.
    private func clear(_ samples: [Track.Sample], _ fence: Geofence)
        -> [(side: Geofence.Side, from: Double, to: Double)]
    {
        var stays: [(side: Geofence.Side, from: Double, to: Double)] = []
        var run: (side: Geofence.Side, from: Double, to: Double, count: Int)?
        func close() {
            guard let stay = run, stay.count >= 3, stay.to - stay.from >= 30 else { return }
            if stays.last?.side == stay.side {
                stays[stays.count - 1].to = stay.to
            } else {
                stays.append((stay.side, stay.from, stay.to))
            }
        }
        for sample in samples {
            let metres = distance(fence.centre, sample.coordinate)
            let side: Geofence.Side? =
                metres < fence.radius - 1
                ? .inside : metres > fence.radius + 50 + (sample.accuracy ?? 0) ? .outside : nil
            let now = seconds(sample)
            if let side, let known = run, known.side == side {
                run = (side, known.from, now, known.count + 1)
            } else {
                close()
                run = side.map { ($0, now, now, 1) }
            }
        }
        close()
        return stays
    }

    @Test(.enabled(if: isThere, "needs ../shared/data"), arguments: names)
    func `Clear arrivals and departures are reported, and nothing else`(_ name: String) throws {
        let samples = try samples(name)
        for part in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
            let index = Int(Double(samples.count - 1) * part)
            for radius in [60.0, 150, 500] {
                let fence = Geofence(centre: samples[index].coordinate, radius: radius)
                let (told, clear) = (told(samples, fence), clear(samples, fence))
                // Every clear change is reported, between the two stays.
                for (before, after) in zip(clear, clear.dropFirst()) {
                    let wanted: GeofencePresence.Crossing =
                        after.side == .inside ? .arrived : .left
                    #expect(
                        told.contains {
                            $0.crossing == wanted && $0.at >= before.from && $0.at <= after.to
                        }, "\(name) at \(index), \(radius) m: nothing of \(wanted)")
                }
                // Reported crossings are true and alternate.
                for (event, next) in zip(told, told.dropFirst()) {
                    #expect(event.crossing != next.crossing)
                }
                for event in told {
                    let there = try #require(
                        samples.min { abs(seconds($0) - event.at) < abs(seconds($1) - event.at) })
                    let metres = distance(fence.centre, there.coordinate)
                    #expect(
                        event.crossing == .arrived
                            ? metres <= radius * 1.006 : metres > (radius + 25) * 0.994,
                        "\(name) at \(index), \(radius) m: \(event) is not so")
                    // Within a clear stay nothing changes.
                    let isInside = clear.contains { stay in
                        stay.side == (event.crossing == .arrived ? .outside : .inside)
                            && event.at > stay.from && event.at < stay.to
                            && told.contains { $0.crossing != event.crossing && $0.at < event.at }
                            && !hasShortVisit(samples, fence, around: event.at)
                    }
                    #expect(!isInside, "\(name) at \(index), \(radius) m: \(event) in a clear stay")
                }
            }
        }
    }

    /// Whether the person was on both sides within two minutes: too short for a clear stay.
    private func hasShortVisit(
        _ samples: [Track.Sample], _ fence: Geofence, around time: Double
    ) -> Bool {
        let near = samples.filter { abs(seconds($0) - time) < 120 }
            .map { distance(fence.centre, $0.coordinate) }
        return near.contains { $0 < fence.radius } && near.contains { $0 > fence.radius }
    }

    /// Trackers that send one fix per interval, and the smallest share of stays that they report:
    /// stays of five minutes or more with one of their fixes clearly inside.
    @Test(
        .enabled(if: isThere, "needs ../shared/data"),
        arguments: [(60.0, 0.95), (600, 0.7), (3_600, 1)])
    func `Infrequent trackers arrive by a single fix`(interval: Double, share: Double) throws {
        var (seen, reported) = (0, 0)
        for name in RecordedGeofenceTests.names {
            let all = try samples(name)
            var thin: [Track.Sample] = []
            for sample in all
            where thin.last.map({ seconds($0) + interval <= seconds(sample) }) ?? true {
                thin.append(
                    Track.Sample(
                        offset: sample.offset, coordinate: sample.coordinate, accuracy: 10))
            }
            for part in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
                let middle = all[Int(Double(all.count - 1) * part)].coordinate
                for radius in [60.0, 150, 500] {
                    let fence = Geofence(centre: middle, radius: radius)
                    let told = told(thin, fence).filter { $0.crossing == .arrived }
                    let stays = stays(all, fence)
                    for stay in stays where stay.lowerBound > 0 && stay.length >= 300 {
                        let isSeen = thin.contains {
                            stay.contains(seconds($0))
                                && distance(middle, $0.coordinate) + 10 <= radius
                        }
                        guard isSeen else { continue }
                        seen += 1
                        if told.contains(where: { stay.contains($0.at) }) { reported += 1 }
                    }
                    #expect(
                        told.allSatisfy { event in stays.contains { $0.contains(event.at) } },
                        "\(name), \(radius) m: an arrival of nobody")
                }
            }
        }
        #expect(seen > 0 && Double(reported) >= share * Double(seen), "\(reported) of \(seen)")
    }

    /// The times inside, from the first fix there until one that is clearly outside.
    private func stays(_ samples: [Track.Sample], _ fence: Geofence) -> [ClosedRange<Double>] {
        var stays: [ClosedRange<Double>] = []
        var stay: ClosedRange<Double>?
        for sample in samples {
            let (metres, now) = (distance(fence.centre, sample.coordinate), seconds(sample))
            if metres <= fence.radius * 1.006 {
                stay = (stay?.lowerBound ?? now)...now
            } else if metres > fence.radius + 25, let known = stay {
                stays.append(known)
                stay = nil
            }
        }
        return stays + (stay.map { [$0.lowerBound...Double.infinity] } ?? [])
    }

    @Test(.enabled(if: isThere, "needs ../shared/data"))
    func `Short laps along the edge cause no repeated arrivals`() throws {
        let samples = try samples("laps-standing.tcx")
        // The place of the long stand: no one in a box of 80 by 120 metres leaves a circle of 100.
        let stand = samples[samples.count / 2]
        let fence = Geofence(centre: stand.coordinate, radius: 100)
        #expect(told(samples, fence).count <= 1)
    }
}

extension ClosedRange<Double> {
    fileprivate var length: Double { upperBound - lowerBound }
}
