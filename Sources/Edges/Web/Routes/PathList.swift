internal import Contract
internal import JSON
internal import NIOCore
internal import Tracking

/// A JSON array with a value for each point of a path, written piece by piece; an array of such
/// arrays if the path is cut at ±180°.
struct PathList {
    private let isCut: Bool
    private let write: (inout JSONWriter, Path.Point) -> Void
    private var cutter = PathCutter()
    private var isOpen = false
    private var needsComma = false

    init(isCut: Bool, _ write: @escaping (inout JSONWriter, Path.Point) -> Void) {
        self.isCut = isCut
        self.write = write
    }

    mutating func add(_ points: some Collection<Path.Point>) -> ByteBuffer {
        var bytes: [UInt8] = []
        for point in points { put(cutter.add(point), to: &bytes) }
        return ByteBuffer(bytes: bytes)
    }

    mutating func end() -> ByteBuffer {
        var bytes: [UInt8] = []
        put(cutter.end(), to: &bytes)
        open(&bytes)
        bytes += Array((isCut ? "]]" : "]").utf8)
        return ByteBuffer(bytes: bytes)
    }

    private mutating func put(_ steps: [PathCutter.Step], to bytes: inout [UInt8]) {
        for step in steps {
            switch step {
            case .cut:
                guard isCut else { continue }
                bytes += Array("],[".utf8)
                needsComma = false
            case .point(let point):
                open(&bytes)
                if needsComma { bytes.append(UInt8(ascii: ",")) }
                needsComma = true
                var json = JSONWriter(capacity: 48)
                write(&json, point)
                bytes += json.bytes
            }
        }
    }

    private mutating func open(_ bytes: inout [UInt8]) {
        guard !isOpen else { return }
        isOpen = true
        bytes += Array((isCut ? "[[" : "[").utf8)
    }
}
