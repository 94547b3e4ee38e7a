/** The multipart half of the S3 way of uploading: begin, parts, complete or abort. */
export async function handleMultipart(request: Request, url: URL, bucket: R2Bucket, key: string): Promise<Response> {
  if (url.searchParams.has("uploads")) {
    const upload = await bucket.createMultipartUpload(key, { httpMetadata: { contentType: "video/mp4" }, customMetadata: { by: "parts" } });
    await bucket.put("current-upload", upload.uploadId);
    return Response.json({ key: upload.key });
  }
  const id = url.searchParams.get("uploadId");
  const uploadId = id === "current" ? await (await bucket.get("current-upload"))!.text() : id!;
  const upload = bucket.resumeMultipartUpload(key, uploadId);
  try {
    switch (request.method) {
      case "PUT": {
        const part = await upload.uploadPart(Number(url.searchParams.get("partNumber")), await makeBytes(request));
        await bucket.put(`parts/${part.partNumber}`, part.etag);
        return Response.json({ partNumber: part.partNumber });
      }
      case "POST": {
        const numbers = (await request.json()) as number[];
        const parts = numbers.map(async (partNumber) => ({
          partNumber,
          etag: (await (await bucket.get(`parts/${partNumber}`))?.text()) ?? "none",
        }));
        const object = await upload.complete(await Promise.all(parts));
        return Response.json({ size: object.size, parts: /-(\d+)$/.exec(object.etag)?.[1], by: object.customMetadata });
      }
      default:
        await upload.abort();
        return new Response(null, { status: 204 });
    }
  } catch (error) {
    return Response.json({ error: (error as Error).message }, { status: 400 });
  }
}

/** What the body says: a letter, and how often it is repeated. */
async function makeBytes(request: Request): Promise<string> {
  const [letter = "", count = "1"] = (await request.text()).split("*");
  return letter.repeat(Number(count));
}
