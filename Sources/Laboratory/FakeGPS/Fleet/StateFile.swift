internal import Contract
internal import FoundationEssentials
internal import JSON
internal import Tracking

/// Why the state file cannot be used.
public enum StateError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable
    case malformed
    case unwritable

    public var description: String {
        switch self {
        case .unreadable: "the state file cannot be read"
        case .malformed: "the state file is not one that fake-gps wrote"
        case .unwritable: "the state file cannot be written"
        }
    }
}

/// The fixes kept by phones that number them, as a JSON file: `[{user, device, seq, fixes}]`, where
/// `seq` is the last number assigned. Written in full under another name and then renamed.
struct StateFile {
    private let path: String
    /// The contents of the file.
    private var bytes: [UInt8] = []
    private var phones: [JSONValue] = []

    /// - Parameter path: the file need not exist.
    init(_ path: String) throws(StateError) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            bytes = Array(try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw .unreadable
        }
        do {
            guard case .array(let phones) = try JSONValue.parse(bytes) else {
                throw StateError.malformed
            }
            self.phones = phones
        } catch {
            throw .malformed
        }
    }

    /// Returns the fixes that a phone kept; nil if the phone is not in the file.
    func buffer(of phone: Phone) throws(StateError) -> FixBuffer? {
        let entry = phones.first {
            $0["user"] == .string(phone.user.text) && $0["device"] == .string(phone.device.text)
        }
        guard let entry else { return nil }
        guard let lastNumber = entry["seq"]?.integer, case .array(let elements) = entry["fixes"],
            elements.count <= FixBuffer.capacity
        else { throw .malformed }
        var fixes: [Fix] = []
        for element in elements {
            do throws(Problem) {
                // It is up to the service to decide whether a fix is too old or too new.
                let anyTime = FixLimits.anyTime
                fixes.append(try Fix(element, receivedAt: Timestamp(milliseconds: 0), anyTime))
            } catch {
                throw .malformed
            }
        }
        let numbers = fixes.compactMap(\.sequence)
        guard fixes.dropFirst(numbers.count).allSatisfy({ $0.sequence == nil }),
            zip(numbers, numbers.dropFirst()).allSatisfy(<), numbers.last ?? 0 <= lastNumber
        else { throw .malformed }
        return FixBuffer(restoring: fixes, lastNumber: lastNumber)
    }

    /// Writes the file if anything has changed.
    mutating func save(_ clients: [PhoneClient]) throws(StateError) {
        var json = JSONWriter(capacity: bytes.count)
        json.array(clients) { json, client in
            json.object { json in
                json.key("user")
                json.string(client.phone.user.text)
                json.key("device")
                json.string(client.phone.device.text)
                json.key("seq")
                json.number(client.buffer.lastNumber)
                json.key("fixes")
                json.array(client.buffer.fixes) { $0.fix($1, asReceived: false) }
            }
        }
        guard json.bytes != bytes else { return }
        do {
            try Data(json.bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw .unwritable
        }
        bytes = json.bytes
    }
}

extension FixLimits {
    fileprivate static var anyTime: FixLimits {
        var limits = FixLimits()
        limits.futureTolerance = .seconds(1 << 40)
        limits.retention = .seconds(1 << 40)
        return limits
    }
}
