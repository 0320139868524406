"""Names that ECMAScript, browsers and Node.js provide everywhere: values and types that no file has to import."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ECMASCRIPT: Final = _words(
    """
    AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
    FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON
    Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
    Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
    decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt
    undefined unescape
    """
)

DOM: Final = _words(
    """
    AbortController AbortSignal Animation Attr Audio AudioContext Blob BroadcastChannel ByteLengthQueuingStrategy
    CanvasRenderingContext2D CSS CSSStyleSheet ClipboardItem CloseEvent Comment CompressionStream
    CountQueuingStrategy CustomEvent DOMException DOMMatrix DOMParser DOMPoint DOMRect DataTransfer
    DecompressionStream Document DocumentFragment Element Event EventSource EventTarget File FileList FileReader
    FontFace FormData HTMLAnchorElement HTMLButtonElement HTMLCanvasElement HTMLDivElement HTMLElement HTMLFormElement
    HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLSelectElement HTMLTemplateElement HTMLTextAreaElement
    HTMLVideoElement Headers History IDBKeyRange Image ImageBitmap ImageData InputEvent IntersectionObserver
    KeyboardEvent Location MediaQueryList MediaRecorder MediaSource MediaStream MessageChannel MessageEvent
    MessagePort MouseEvent MutationObserver Node NodeList Notification OffscreenCanvas Option Path2D Performance
    PerformanceObserver PointerEvent PopStateEvent ProgressEvent RTCPeerConnection Range ReadableStream Request
    ResizeObserver Response SVGElement Selection ServiceWorker ShadowRoot SharedWorker Storage StorageEvent
    SubmitEvent Text TextDecoder TextDecoderStream TextEncoder TextEncoderStream Touch TouchEvent TransformStream
    TreeWalker UIEvent URL URLSearchParams VideoFrame WebAssembly WebGL2RenderingContext WebGLRenderingContext
    WebSocket WheelEvent Window Worker WritableStream XMLHttpRequest XMLSerializer
    addEventListener alert atob btoa cancelAnimationFrame cancelIdleCallback caches chrome clearInterval clearTimeout
    confirm createImageBitmap crypto customElements devicePixelRatio dispatchEvent document fetch frames
    getComputedStyle getSelection history importScripts indexedDB innerHeight innerWidth localStorage location
    matchMedia navigator onmessage open parent performance postMessage prompt queueMicrotask removeEventListener
    reportError requestAnimationFrame requestIdleCallback screen scroll scrollBy scrollTo self sessionStorage
    setInterval setTimeout structuredClone top window
    """
)

NODE: Final = _words(
    "Buffer __dirname __filename clearImmediate console exports global module process require setImmediate"
)

TESTS: Final = _words(
    """
    after afterAll afterEach before beforeAll beforeEach chai cy describe expect it jasmine jest suite test vi
    xdescribe xit
    """
)

RUNTIMES: Final = _words("Bun Deno")

VALUES: Final = ECMASCRIPT | DOM | NODE | TESTS | RUNTIMES
"""Names that nothing in a file has to bind."""

TYPES: Final = VALUES | _words(
    """
    ArrayLike AsyncGenerator AsyncGeneratorFunction AsyncIterable AsyncIterableIterator AsyncIterator Awaited
    BlobPart BodyInit BufferSource Capitalize ClassDecorator ConcatArray ConstructorParameters CryptoKey
    DOMHighResTimeStamp EventListener EventListenerOrEventListenerObject Exclude Extract Generator GeneratorFunction
    HeadersInit InstanceType Iterable IterableIterator IteratorResult JSX Lowercase MethodDecorator NoInfer NodeJS
    NonNullable Omit OmitThisParameter ParameterDecorator Parameters Partial Pick PromiseConstructor PromiseLike
    PropertyDecorator PropertyDescriptor PropertyKey React Readonly ReadonlyArray ReadonlyMap ReadonlySet Record
    RegExpExecArray RegExpMatchArray RequestInfo RequestInit Required ResponseInit ReturnType TemplateStringsArray
    ThisParameterType ThisType TypedPropertyDescriptor Uncapitalize Uppercase
    """
)
"""Type names that nothing in a file has to bind."""
