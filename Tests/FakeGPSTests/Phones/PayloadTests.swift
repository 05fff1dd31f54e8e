import Contract
import Testing
import Tracking

@testable import FakeGPS

/// Phone payloads, as the service reads them.
struct PayloadTests {
    let now = Timestamp(milliseconds: 1_795_000_000_500)

    func fix(_ sequence: Int64) -> Fix {
        Fix(
            coordinate: place(-45.1234567, -179.1234567), takenAt: now - .seconds(sequence),
            receivedAt: now, accuracy: 1234.5, altitude: -1234.5, altitudeAccuracy: 1234.5,
            heading: 359.9, speed: 1234.25, battery: 80, sequence: sequence)
    }

    @Test func `A single fix is sent alone, several as an array, numbered on request`() throws {
        var phone = phone()
        phone.numbersFixes = true
        for count in [1, 2, Phone.arrayLimit] {
            let fixes = (1...Int64(count)).map { fix($0) }
            let payload = phone.payload(of: fixes, at: now)
            #expect(payload.count < 65_536)
            #expect(payload.first == (count == 1 ? UInt8(ascii: "{") : UInt8(ascii: "[")))
            #expect(try FixMessage(payload, receivedAt: now, FixLimits()).fixes == fixes)
        }
        phone.numbersFixes = false
        let message = try FixMessage(
            phone.payload(of: [fix(1)], at: now), receivedAt: now, FixLimits())
        #expect(message.fixes.map(\.sequence) == [nil])
    }

    @Test func `An OwnTracks location matches the app's`() throws {
        var phone = phone()
        phone.format = .ownTracks
        let payload = phone.payload(of: [fix(1)], at: now)
        let id = #"[0-9a-f]{8}"#
        let text = String(decoding: payload, as: UTF8.self)
        #expect(
            text.replacing(try Regex(#""_id":"\#(id)""#), with: #""_id":"…""#) == """
                {"_type":"location","_id":"…","lat":-45.1234567,"lon":-179.1234567,\
                "tst":1794999999,"created_at":1795000000,"acc":1235,"alt":-1235,"vel":4443,\
                "batt":80,"bs":1,"conn":"m","m":2,"t":"t","tid":"ne"}
                """)
        #expect(payload == phone.payload(of: [fix(1)], at: now))
        let message = try OwnTracksMessage(payload, receivedAt: now, FixLimits())
        guard case .locations(let locations, let refused, _) = message, refused.isEmpty else {
            Issue.record("not a location")
            return
        }
        #expect(locations.map(\.fix?.takenAt) == [Timestamp(milliseconds: 1_794_999_999_000)])
    }

    @Test func `Requests can be read by the service`() throws {
        let key = GroupKey("AAAAAAAAAAAAAAAAAAAAAA")!
        let actions: [(Phone.Action, String)] = [
            (.startSharing(with: .all), #"{"id":"1","groups":"all"}"#),
            (
                .startSharing(with: .some([key])),
                #"{"id":"1","groups":["AAAAAAAAAAAAAAAAAAAAAA"]}"#
            ),
            (
                .startJourney(to: place(1.5, 2), named: "\"", within: .seconds(60)),
                #"{"id":"1","groups":"all","destination":{"latitude":1.5,"longitude":2,"#
                    + #""name":"\""},"eta":"2026-11-18T11:07:40.500Z"}"#
            ),
            (.triggerSOS(at: .seconds(1)), #"{"id":"1"}"#),
            (
                .say("a\"b", to: key, at: .zero),
                #"{"id":"1","group":"AAAAAAAAAAAAAAAAAAAAAA","text":"a\"b"}"#
            ),
        ]
        for (action, expected) in actions {
            let payload = action.payload(id: "1", now: now)
            #expect(String(decoding: payload, as: UTF8.self) == expected)
            _ = try Command(
                method: action.method, try Request(payload), at: now, FixLimits())
        }
    }

    @Test func `Requests are repeated after a timeout and after a reconnect`() {
        var requests = PendingRequests()
        #expect(requests.nextDue == nil)
        requests.add(id: "1", method: "a", payload: [])
        requests.add(id: "2", method: "b", payload: [])
        #expect(requests.takeDue(at: .seconds(100)).map(\.id) == ["1", "2"])
        #expect(requests.takeDue(at: .seconds(101)).isEmpty)
        #expect(requests.nextDue == .seconds(100) + PendingRequests.patience)
        #expect(requests.answered("1") == "a")
        #expect(requests.answered("1") == nil)
        #expect(requests.takeDue(at: .seconds(200)).map(\.id) == ["2"])
        requests.rewind()
        #expect(requests.takeDue(at: .seconds(201)).map(\.id) == ["2"])
    }
}
